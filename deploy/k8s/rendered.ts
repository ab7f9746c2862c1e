/** Folders of deploy/k8s as `kubectl kustomize` renders them; for tests. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe } from '@jest/globals';
import { parseAllDocuments } from 'yaml';

// biome-ignore lint/suspicious/noExplicitAny: manifests are read as the documents that they are.
export type Manifest = any;

export const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
export const describeRendered = hasKubectl ? describe : describe.skip;
/** Ends the title of a suite that needs kubectl. */
export const unlessKubectl = hasKubectl ? '' : ' (skipped: there is no kubectl on the PATH)';

/** Nothing where there is no kubectl. */
export function rendered(folder: string): Manifest[] {
  if (!hasKubectl) return [];
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', path.join(import.meta.dirname, folder)], { encoding: 'utf8' });
  if (status !== 0 || stderr !== '') throw new Error(`${folder}: ${stderr}`);
  return parseAllDocuments(stdout).map((document) => document.toJS());
}
