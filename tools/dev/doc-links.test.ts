import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import type { DocsFile } from '@store/docs-site';
import { deadLinks, documentFaults, documents, missingPaths, siteFaults } from './doc-links.ts';
import { citedNotes, noteFaults } from './notes.ts';
import { viewerFaults } from './viewer.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('every relative link and path of a document leads to a file, and its anchor to a heading', () => {
  expect(documents().map(({ name }) => name)).toEqual(expect.arrayContaining(['README.md', 'docs/security.md', 'docs/guides/errors.md']));
  expect(documentFaults()).toEqual([]);
});

test('every decision note that is cited exists, has the four headings and is in the index', () => {
  expect(citedNotes('as decided (note 0040), see docs/decisions/0043 and note 7')).toEqual(['0040', '0043']);
  expect(noteFaults()).toEqual([]);
});

test('every link, asset and anchor of the pages under /docs is served', () => {
  expect(siteFaults()).toEqual([]);
});

test('the viewer is the built file of the package that viewer.json names', () => {
  expect(viewerFaults()).toEqual([]);
});

test('a link to a missing file, heading or page, and a missing or bare test, are found', () => {
  const here = join(root, 'docs/planted.md');
  expect(deadLinks(here, '[a](missing.md) [b](api.md#no-such-heading) [c](api.md) [d](https://example.com/x)')).toEqual([
    'missing.md',
    'api.md#no-such-heading',
  ]);
  expect(missingPaths('`libs/rpc/src/missing.test.ts`, `door.test.ts`, `libs/rpc/src/door.test.ts`')).toEqual([
    'libs/rpc/src/missing.test.ts',
    'door.test.ts',
  ]);
  const page = (html: string) => () => ({ type: 'text/html', body: Buffer.from(html) }) as DocsFile;
  const site = new Map([
    ['/docs', page('<a href="/docs/a#there">1</a> <a href="/docs/a#gone">2</a> <a href="/docs/b">3</a> <script src="/x.js">')],
    ['/docs/a', page('<h2 id="there">')],
  ]);
  expect(siteFaults(site)).toEqual(['/docs: /docs/a#gone leads nowhere', '/docs: /docs/b leads nowhere', '/docs: /x.js leads nowhere']);
});
