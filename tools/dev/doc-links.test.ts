/** The checks of documents find what they are for; that there is nothing to find is `npm run check`. */
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { DocsFile } from '@store/docs-site';
import { repository } from '../local/data-dir.ts';
import { deadLinks, documents, missingPaths, siteFaults } from './doc-links.ts';
import { citedNotes } from './notes.ts';

test('citations of notes and documents of every folder are found', () => {
  expect(documents().map(({ name }) => name)).toEqual(expect.arrayContaining(['README.md', 'docs/security.md', 'docs/guides/errors.md']));
  expect(citedNotes('as decided (note 0040), see docs/decisions/0043 and note 7')).toEqual(['0040', '0043']);
});

test('a link to a missing file, heading or page, and a missing or bare test, are found', () => {
  const here = join(repository, 'docs/planted.md');
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
