/**
 * `npm run manifests`: writes what follows from the registry of apps and their settings: in each file the parts between two marks,
 * around which everything is written by hand. A test holds the files to it, so a new app or setting is forgotten nowhere.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aclRules, clusterCommands } from '../../apps/gateway/src/key-gate/redis-acl.ts';
import { composeParts, envParts } from '../../deploy/docker/compose-parts.ts';
import { ruleParts } from '../../deploy/monitoring/app-parts.ts';
import { repository } from '../local/data-dir.ts';
import { appsTable, drawing } from './app-tables.ts';
import { processTable, settingsTable } from './settings-doc.ts';

/** What the user of REDIS_URL needs: a line for one Redis, and one more for a cluster. */
const redisRights = () => {
  const more = clusterCommands.map((command) => `+${command}`).join(' ');
  return ['```', `ACL SETUSER store on >password ${aclRules().join(' ')}`, `ACL SETUSER store ${more}`, '```'].join('\n');
};

/** Parts of files, by their marks. */
export const parts: Record<string, () => Record<string, string>> = {
  'deploy/compose.yaml': composeParts,
  'deploy/.env.example': envParts,
  'deploy/k8s/installation/alerts.yaml': ruleParts,
  'docs/operations/reference.md': () => ({ settings: settingsTable(), 'settings of a process': processTable() }),
  'docs/operations/install.md': () => ({ 'rights in Redis': redisRights() }),
  'ARCHITECTURE.md': () => ({ apps: appsTable() }),
  'README.md': () => ({ drawing: drawing() }),
};

/** `# Written by npm run manifests: <part>.` to `# End of <part>.`, and the same as comments of Markdown. */
const mark = /^( *)(# |<!-- )Written by npm run manifests: ([^.\n]+)\.( -->)?\n[\s\S]*?^\1\2End of \3\.\4$/gm;

/** The text with each marked part as it should be. */
export function withParts(text: string, generated: Record<string, string>): string {
  const left = new Set(Object.keys(generated));
  const result = text.replace(mark, (_whole, indent: string, open: string, name: string, close = '') => {
    if (!left.delete(name)) throw new Error(`${name} is marked twice, or is not a part of this file.`);
    const lines = generated[name]!.split('\n').map((line) => (line === '' ? '' : indent + line));
    // Blank lines end the comment for every reader of Markdown.
    const body = close === '' ? lines : ['', ...lines, ''];
    return [`${indent}${open}Written by npm run manifests: ${name}.${close}`, ...body, `${indent}${open}End of ${name}.${close}`].join(
      '\n',
    );
  });
  if (left.size > 0) throw new Error(`Not marked: ${[...left].join(', ')}.`);
  return result;
}

const textOf = (file: string) => readFileSync(path.join(repository, file), 'utf8');

/** Files with a part that differs. */
export function staleFiles(): string[] {
  return Object.entries(parts)
    .filter(([file, generated]) => withParts(textOf(file), generated()) !== textOf(file))
    .map(([file]) => file);
}

if (process.argv[1] === import.meta.filename)
  for (const [file, generated] of Object.entries(parts)) writeFileSync(path.join(repository, file), withParts(textOf(file), generated()));
