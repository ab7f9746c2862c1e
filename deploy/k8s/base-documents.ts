/** The manifests of the base, as they lie in the repository; for tests. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';

// biome-ignore lint/suspicious/noExplicitAny: manifests are read as the documents that they are.
export type Manifest = any;

/** Paths of the files below a folder of deploy/k8s. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(path.join(import.meta.dirname, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(import.meta.dirname, path.join(entry.parentPath, entry.name)));

export const documentsBelow = (folder: string): Manifest[] =>
  filesBelow(folder).flatMap((file) =>
    parseAllDocuments(readFileSync(path.join(import.meta.dirname, file), 'utf8')).map((document) => document.toJS()),
  );

export const documentsOfBase = (): Manifest[] => documentsBelow('base');
