/** Decision notes: each has its parts, and each that is cited exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../local/data-dir.ts';
import { documents } from './doc-links.ts';

const folder = join(repository, 'docs/decisions');
const headings = ['**Context.**', '**Choice.**', '**Cost.**', '**What would change it.**'];
const linesMax = 40;

export function noteFaults(): string[] {
  const notes = readdirSync(folder).filter((name) => /^\d{4}-/.test(name));
  return [
    ...notes.flatMap((name) => formFaults(name, readFileSync(join(folder, name), 'utf8'))),
    ...[...sources(), ...documents()].flatMap(({ name, text }) =>
      citedNotes(text)
        .filter((number) => !notes.some((note) => note.startsWith(number)))
        .map((number) => `${name} cites note ${number}, which does not exist`),
    ),
  ];
}

/** `docs/decisions/0040` in code, `note 0040` in documents. */
export const citedNotes = (text: string): string[] =>
  [...text.matchAll(/(?:decisions\/|\bnotes? )(\d{4})\b/g)].map(([, number]) => number!);

function formFaults(name: string, text: string): string[] {
  const missing = headings.filter((heading) => !text.includes(heading));
  return [
    ...missing.map((heading) => `docs/decisions/${name} has no ${heading}`),
    ...(text.split('\n').length > linesMax ? [`docs/decisions/${name} is longer than ${linesMax} lines`] : []),
  ];
}

function sources(): { name: string; text: string }[] {
  return ['apps', 'libs', 'tests', 'tools', 'deploy', 'protos'].flatMap((group) =>
    readdirSync(join(repository, group), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|tsx|js|mjs|py|toml|proto|ya?ml)$/.test(file) && !/(^|\/)(node_modules|gen)\//.test(file))
      .map((file) => join(group, file))
      .filter((name) => existsSync(join(repository, name)))
      .map((name) => ({ name, text: readFileSync(join(repository, name), 'utf8') })),
  );
}
