/** Checks that the panel says everything in each of its languages: texts are in `t()` or `counted()`, and every dictionary has them. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from '@babel/parser';
import { repository } from '../local/data-dir.ts';

const source = 'apps/admin/src';
const languages = ['fr', 'es'];

/** A sentence per text that some language lacks, or that is outside of `t()`. */
export function panelTextFaults(): string[] {
  const files = readdirSync(path.join(repository, source), { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !/\.test\.ts$|^api\/gen\//.test(name),
  );
  const read = (name: string) => readFileSync(path.join(repository, source, name), 'utf8');
  const found = files.map((name) => textsOf(read(name), `${source}/${name}`));
  const ofScopes = textsIn(read('api/gen/scopes.ts'));
  const ofApi = JSON.parse(read('language/api-texts.json')) as string[];
  const texts = new Set([...found.flatMap((one) => one.texts), ...ofApi, ...ofScopes]);
  const lacking = languages.flatMap((language) =>
    dictionaryFaults(texts, JSON.parse(read(`language/${language}.json`)) as Record<string, string>, `${source}/language/${language}.json`),
  );
  return [...found.flatMap((one) => one.bare), ...lacking];
}

/** Texts that a dictionary lacks or that are not used, and translations that name other values than their text. */
export function dictionaryFaults(texts: Set<string>, words: Record<string, string>, file: string): string[] {
  return [
    ...[...texts].filter((text) => !words[text]).map((text) => `${file} lacks “${text}”`),
    ...Object.keys(words).flatMap((text) => (texts.has(text) ? [] : [`${file}: “${text}” is not used`])),
    ...Object.entries(words).flatMap(([text, word]) =>
      sameValues(text, word) ? [] : [`${file}: “${word}” has other values than “${text}”`],
    ),
  ];
}

/** The values of an object literal. */
const textsIn = (code: string): string[] => [...code.matchAll(/: '(.+)',$/gm)].map(([, text]) => text!.replaceAll("\\'", "'"));

const valuesOf = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
/** Of one thing a language may leave the number out. */
const sameValues = (text: string, word: string): boolean =>
  String(valuesOf(text).filter((value) => value !== '{count}')) === String(valuesOf(word).filter((value) => value !== '{count}'));

/** Attributes and members that people read. */
const spokenNames = new Set(
  'about action aria-label description done empty header label none nothingFoundMessage note placeholder quantity text title'.split(' '),
);

interface Node {
  type: string;
  loc: { start: { line: number } };
  value?: string | Node;
  name?: string | Node;
  key?: { name?: string };
  expression?: Node;
  left?: Node;
  right?: Node;
  consequent?: Node;
  alternate?: Node;
  quasis?: { value: { raw: string } }[];
  callee?: { name?: string };
  arguments?: Node[];
}

/** What a file says, and what it says without `t()`. */
export function textsOf(code: string, file: string): { texts: string[]; bare: string[] } {
  const texts: string[] = [];
  const bare: string[] = [];
  const pending: unknown[] = [
    parse(code, { sourceType: 'module', plugins: file.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'] }).program,
  ];
  while (pending.length > 0) {
    const node = pending.pop();
    if (typeof node !== 'object' || node === null) continue;
    texts.push(...saidBy(node as Node));
    for (const text of bareTexts(node as Node))
      if (/\p{L}{2}/u.test(text) && !/^\s*(https:|\/)/.test(text))
        bare.push(`${file}:${(node as Node).loc.start.line}: “${text.trim()}” is not in t()`);
    if (!isStyle(node as Node)) pending.push(...Object.values(node));
  }
  return { texts, bare };
}

const isStyle = ({ type, name }: Node): boolean => type === 'JSXAttribute' && (name as Node).name === 'classNames';

function saidBy({ type, callee, arguments: given = [] }: Node): string[] {
  if (type !== 'CallExpression') return [];
  const said = callee?.name === 't' ? given.slice(0, 1) : callee?.name === 'counted' ? given.slice(1, 3) : [];
  return said.flatMap(({ type: kind, value }) => (kind === 'StringLiteral' ? [value as string] : []));
}

/** Words between values; a unit is none. */
const wordsBetween = /\s(?!ms\b)\p{Ll}{2,}(\s|$)/u;

function bareTexts({ type, value, name, key, quasis }: Node): string[] {
  if (type === 'JSXText') return [value as string];
  if (type === 'TemplateLiteral') return quasis!.map(({ value: { raw } }) => raw).filter((raw) => wordsBetween.test(raw));
  const spoken = type === 'JSXAttribute' ? (name as Node).name : type === 'ObjectProperty' ? key?.name : undefined;
  return typeof spoken === 'string' && spokenNames.has(spoken) ? literalsOf(value as Node | null) : [];
}

/** The texts that an expression may be, but for those of functions. */
function literalsOf(node: Node | null | undefined): string[] {
  if (!node) return [];
  if (node.type === 'StringLiteral') return [node.value as string];
  if (node.type === 'TemplateLiteral') return [node.quasis!.map(({ value: { raw } }) => raw).join(' ')];
  return [node.expression, node.left, node.right, node.consequent, node.alternate].flatMap(literalsOf);
}
