/**
 * Checks the product's regular expressions by recheck: one whose time grows faster than the text lets a single request stop a
 * process. Verdicts are kept in .cache, since a new one takes up to a second.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type ParserPlugin, parse } from '@babel/parser';
import { check } from 'recheck';
import { repository } from '../local/data-dir.ts';

export interface Expression {
  /** File and line of its first use. */
  at: string;
  /** Absent: it is built while the program runs, so it cannot be checked. */
  source?: string;
  flags: string;
}

/** Code that builds its expressions, or needs one that is not linear, and what it reads: text of the product itself. */
const readsOwnText: Record<string, string> = {
  'libs/docs-site/src/colour-code.ts': 'examples of the guides',
};
const isProductCode = (file: string): boolean =>
  /\.m?[jt]sx?$/.test(file) && !/node_modules|\.test(ing)?\.ts$|\/(test|gen)\/|^libs\/testbed\//.test(file);

const version = (createRequire(import.meta.url)('recheck/package.json') as { version: string }).version;

/** A sentence per expression that is super-linear, or of which that cannot be said. */
export async function expressionFaults(): Promise<string[]> {
  const files = ['apps', 'libs'].flatMap((group) =>
    readdirSync(path.join(repository, group), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${group}/${name.replaceAll('\\', '/')}`,
    ),
  );
  const expressions = files
    .filter((file) => isProductCode(file) && !(file in readsOwnText))
    .flatMap((file) => expressionsOf(readFileSync(path.join(repository, file), 'utf8'), file));
  return faultsOf(expressions, path.join(repository, '.cache/expressions.json'));
}

/** `cache`: file of the verdicts that are kept. */
export async function faultsOf(expressions: Expression[], cache?: string): Promise<string[]> {
  const kept = cache === undefined ? {} : readKept(cache);
  const verdicts: Record<string, string> = {};
  // Others are not kept: the check is partly random, and on a busy machine it may not finish in time.
  const linear: Record<string, string> = {};
  const faults: string[] = [];
  for (const { at, source, flags } of expressions) {
    if (source === undefined) {
      faults.push(`${at}: an expression that is built cannot be checked; write it as a literal`);
      continue;
    }
    const text = `${version} /${source}/${flags}`;
    verdicts[text] ??= kept[text] ?? (await verdictOf(source, flags));
    if (verdicts[text] === 'linear') linear[text] = 'linear';
    else faults.push(`${at}: /${source}/${flags} is ${verdicts[text]}`);
  }
  if (cache !== undefined) {
    mkdirSync(path.dirname(cache), { recursive: true });
    writeFileSync(cache, JSON.stringify(linear));
  }
  return faults;
}

/** A verdict takes up to a second; on a machine that runs all tests, much longer. */
const judgedWithinMs = 60_000;

/** `linear`, or what is wrong with it. The fuzzer measures what it tries by chance, so it is asked up to three times. */
async function verdictOf(source: string, flags: string, tries = 3): Promise<string> {
  // The same on every machine; the other backends are programs for some platforms.
  process.env.RECHECK_BACKEND = 'pure';
  const verdict = await check(source, flags, { timeout: judgedWithinMs });
  if (verdict.status === 'vulnerable' && verdict.checker === 'fuzz' && tries > 1) return verdictOf(source, flags, tries - 1);
  if (verdict.status === 'vulnerable') return `${verdict.complexity.summary} in the length of the text`;
  return verdict.status === 'safe' ? 'linear' : 'not checked in time';
}

function readKept(cache: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(cache, 'utf8')) as Record<string, string>;
  } catch {
    // The first run, or a truncated file: all are checked again.
    return {};
  }
}

/** The literals of a file, and the calls of RegExp. */
export function expressionsOf(text: string, file: string): Expression[] {
  const plugins: ParserPlugin[] = /\.m?js$/.test(file) ? ['jsx'] : file.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'];
  const found: Expression[] = [];
  const pending: unknown[] = [parse(text, { sourceType: 'module', plugins }).program];
  while (pending.length > 0) {
    const node = pending.pop();
    if (typeof node !== 'object' || node === null) continue;
    const expression = expressionOf(node as Node);
    if (expression) found.push({ at: `${file}:${(node as Node).loc!.start.line}`, ...expression });
    pending.push(...Object.values(node));
  }
  return found.reverse();
}

interface Node {
  type?: string;
  loc?: { start: { line: number } };
  pattern?: string;
  flags?: string;
  callee?: { name?: string };
  arguments?: { type: string; value?: string }[];
}

function expressionOf({ type, pattern, flags = '', callee, arguments: given = [] }: Node): Omit<Expression, 'at'> | undefined {
  if (type === 'RegExpLiteral') return { source: pattern!, flags };
  if (callee?.name !== 'RegExp') return undefined;
  const [source, sentFlags] = given;
  if (source?.type !== 'StringLiteral' || (sentFlags && sentFlags.type !== 'StringLiteral')) return { flags };
  return { source: source.value!, flags: sentFlags?.value ?? '' };
}
