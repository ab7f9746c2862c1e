/** The examples of the documents: their blocks of code. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repository } from '../../tools/local/data-dir.ts';

export interface CodeBlock {
  /** The document's path from the project's root. */
  document: string;
  language: string;
  code: string;
}

function documentNames(): string[] {
  const inFolder = (folder: string) =>
    readdirSync(path.join(repository, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`);
  return ['README.md', ...inFolder('docs/guides'), ...inFolder('docs')];
}

export function codeBlocks(): CodeBlock[] {
  return documentNames().flatMap((document) =>
    [...readFileSync(path.join(repository, document), 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, code]) => ({
      document,
      language: language!,
      code: code!,
    })),
  );
}

/** The block whose first line names the file. */
export function program(file: string): string {
  const found = codeBlocks().find(({ code }) => /^(?:\/\/|#) (\S+)\n/.exec(code)?.[1] === file);
  if (!found) throw new Error(`no document shows ${file}`);
  return found.code;
}
