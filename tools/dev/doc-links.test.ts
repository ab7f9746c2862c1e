/** What the documents name exists: linked files, linked headings, tests and folders given by their path. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const skipped = new Set(['node_modules', '.data', '.cache', '.git', '.nx']);

function documentsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return documentsIn(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

const withoutFences = (text: string) => text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');

/** What a guide tells its reader to create. */
const madeByReaders = new Set(['apps/catalog/src/products/list-product-suppliers.ts', 'deploy/.env']);

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of withoutFences(text).matchAll(/^#+ +(.+)$/gm)) {
    const plain = heading!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = plain.replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-');
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n += 1) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Links of a document that lead nowhere. Links to other hosts are not checked: a test must not need the network. */
function deadLinks(path: string, text: string): string[] {
  const links = [...withoutFences(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [file, anchor] = link.split('#') as [string, string?];
    const target = file === '' ? path : join(dirname(path), file);
    if (file !== '' && !existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).has(anchor);
  });
}

/** Files and folders that a document names by their path from the root, in code quotes, and that do not exist. */
function missingPaths(text: string): string[] {
  const quoted = [...withoutFences(text).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
  const paths = quoted.filter((code) => !madeByReaders.has(code) && /^(apps|deploy|docs|libs|protos|tests|tools)\/[\w./-]+$/.test(code));
  const bareTests = quoted.filter((code) => /^[\w-]+\.test\.ts$/.test(code));
  return [...paths.filter((path) => !existsSync(join(root, path))), ...bareTests];
}

const documents = documentsIn(root).map((path) => ({
  path,
  name: relative(root, path),
  text: readFileSync(path, 'utf8'),
}));

test('every relative link of a document leads to a file, and its anchor to a heading', () => {
  expect(documents.map(({ name }) => name)).toEqual(expect.arrayContaining(['README.md', 'docs/security.md']));
  expect(documents.flatMap(({ path, name, text }) => deadLinks(path, text).map((link) => `${name}: ${link}`))).toEqual([]);
});

test('every path that a document names exists, and a test is named by its whole path', () => {
  expect(documents.flatMap(({ name, text }) => missingPaths(text).map((path) => `${name}: ${path}`))).toEqual([]);
});

test('a link to a missing file or heading, and a missing or bare test, are found', () => {
  const here = join(root, 'docs/planted.md');
  expect(deadLinks(here, '[a](missing.md) [b](api.md#no-such-heading) [c](api.md) [d](https://example.com/x)')).toEqual([
    'missing.md',
    'api.md#no-such-heading',
  ]);
  expect(missingPaths('`libs/rpc/src/missing.test.ts`, `door.test.ts`, `libs/rpc/src/door.test.ts`')).toEqual([
    'libs/rpc/src/missing.test.ts',
    'door.test.ts',
  ]);
});
