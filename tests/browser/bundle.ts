/** The weight of the panel: what its first page loads, from the manifest of its build, and all of it. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

interface Chunk {
  file: string;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
}

const entry = 'index.html';
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
  for (const name of [entry, firstPage, ...(manifest[firstPage]!.dynamicImports ?? [])]) add(name);
  return [...files].reduce((sum, file) => sum + sentBytes(path.join(folder, file)), 0);
}

/** Bytes of every script and style sheet that some page loads, compressed. */
export function allBytes(folder: string): number {
  const files = readdirSync(path.join(folder, 'assets')).filter((name) => /\.(js|css)$/.test(name));
  return files.reduce((sum, name) => sum + sentBytes(path.join(folder, 'assets', name)), 0);
}

/** The smallest files are not compressed: that would make them larger. */
function sentBytes(file: string): number {
  return statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size;
}
