/** The weight of the panel: what its first page loads, from the manifest of its build, and all of it. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

interface Chunk {
  file: string;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
}

const entries = ['index.html', 'src/app.tsx'];
const dictionary = /^(fr|es)-/;
const firstPage = 'src/today/today.tsx';

/** Bytes of the files as they are sent, compressed; the charts that the page loads behind its figures are counted too. */
export function firstPageBytes(folder: string): number {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as Record<string, Chunk>;
  const files = new Set<string>();
  const add = (name: string) => {
    const chunk = manifest[name]!;
    if (files.has(chunk.file)) return;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const imported of chunk.imports ?? []) add(imported);
  };
  for (const name of [...entries, firstPage, ...(manifest[firstPage]!.dynamicImports ?? [])]) add(name);
  return [...files].reduce((sum, file) => sum + sentBytes(path.join(folder, file)), 0);
}

/** Bytes of every script and style sheet that a browser loads for some page, compressed, with those of the longest dictionary. */
export function allBytes(folder: string): number {
  const files = readdirSync(path.join(folder, 'assets')).filter((name) => /\.(js|css)$/.test(name));
  const bytesOf = (name: string) => sentBytes(path.join(folder, 'assets', name));
  const ofDictionaries = files.filter((name) => dictionary.test(name)).map(bytesOf);
  if (ofDictionaries.length === 0) throw new Error('the panel has no dictionary');
  const others = files.filter((name) => !dictionary.test(name)).map(bytesOf);
  return others.reduce((sum, bytes) => sum + bytes, Math.max(...ofDictionaries));
}

/** The smallest files are not compressed: that would make them larger. */
function sentBytes(file: string): number {
  return statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size;
}
