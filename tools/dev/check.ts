/** `npm run check`: format, lint, types, boundaries, regular expressions, generated code, OpenAPI, links, texts of the panel, file lengths, titles of tests, packages. A line per step; all of them run. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repository } from '../local/data-dir.ts';
import { boundaryFaults } from './boundaries.ts';
import { clientTypes } from './client-types.ts';
import { documentFaults, siteFaults } from './doc-links.ts';
import { expressionFaults } from './expressions.ts';
import { committedLockFaults } from './lock.ts';
import { noteFaults } from './notes.ts';
import { openApiFaults } from './openapi-faults.ts';
import { panelTextFaults } from './panel-texts.ts';
import { viewerFaults } from './viewer.ts';

const sourceLinesMax = 250;
/** A test file lists the cases of one subject; it may be longer than the subject. */
const testLinesMax = 400;
const titleMax = 80;

/** Each step returns what is wrong, empty when nothing is. */
const steps: [string, () => string[] | Promise<string[]>][] = [
  ['format and lint', () => tool('biome', ['check', '--error-on-warnings', '.'], 'npm run format writes the format')],
  ['types', () => tool('tsc', ['-p', '.'])],
  ['types of the panel', () => tool('tsc', ['-p', 'apps/admin'])],
  ['boundaries', boundaryFaults],
  ['regular expressions', expressionFaults],
  ['generated code', generatedFaults],
  ['client types', clientFaults],
  ['OpenAPI documents', openApiFaults],
  ['links of documents and pages', () => [...documentFaults(), ...siteFaults(), ...viewerFaults()]],
  ['texts of the panel', panelTextFaults],
  ['decision notes', noteFaults],
  ['file lengths', lengthFaults],
  ['titles of tests', titleFaults],
  ['lock file', () => committedLockFaults(repository)],
];

let faulty = 0;
for (const [name, take] of steps) {
  const started = performance.now();
  const faults = await take();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${faults.length === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`);
  for (const fault of faults) process.stdout.write(`       ${fault.replaceAll('\n', '\n       ')}\n`);
  if (faults.length > 0) faulty += 1;
}
process.exitCode = faulty > 0 ? 1 : 0;

/** `advice`: what mends most of what the tool finds. */
function tool(name: string, args: string[], advice?: string): string[] {
  const result = spawnSync(path.join(repository, 'node_modules/.bin', name), args, {
    cwd: repository,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (result.status === 0) return [];
  return [`${result.stdout}${result.stderr}${result.error?.message ?? ''}`.trim(), ...(advice ? [advice] : [])];
}

/** The types in protos/gen are what the protos give now. */
function generatedFaults(): string[] {
  const fresh = mkdtempSync(path.join(tmpdir(), 'gen-'));
  try {
    const result = spawnSync(process.execPath, ['libs/contract/src/generate.ts', fresh], { cwd: repository, encoding: 'utf8' });
    if (result.status !== 0) return [`npm run gen fails: ${result.stderr.trim()}`];
    const committed = path.join(repository, 'protos/gen');
    const names = new Set([...tsFiles(fresh), ...tsFiles(committed)]);
    const stale = [...names].filter((name) => textOf(path.join(fresh, name)) !== textOf(path.join(committed, name)));
    return stale.map((name) => `protos/gen/${name} differs from the protos: run npm run gen`);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** The clients' generated types are those of the OpenAPI documents now. */
function clientFaults(): string[] {
  const stale = Object.entries(clientTypes()).filter(([name, text]) => textOf(path.join(repository, name)) !== text);
  return stale.map(([name]) => `${name} differs from the OpenAPI document: run npm run gen`);
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function tsFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.m?[jt]sx?$/.test(name));
}

function lengthFaults(): string[] {
  return ownFiles().flatMap(({ name, text }) => {
    const lines = text.split('\n').length - 1;
    const most = /\.test\.ts$|\/test\//.test(name) ? testLinesMax : sourceLinesMax;
    return lines > most ? [`${name} has ${lines} lines; ${most} is the most`] : [];
  });
}

/** Of tests and of what groups them, also after a table of cases. */
function titleFaults(): string[] {
  const titled = /(?:\b(?:test|describe)\w*(?:\.\w+)?|\))\(\s*('(?:[^'\\]|\\.)*'|"[^"]*"|`[^`]*`),\s*(?:async )?\(/g;
  return ownFiles()
    .filter(({ name }) => /\.(test|testing)\.tsx?$/.test(name))
    .flatMap(({ name, text }) => Array.from(text.matchAll(titled), ([, literal]) => ({ name, title: literal!.slice(1, -1) })))
    .filter(({ title }) => title.length > titleMax)
    .map(({ name, title }) => `${name}: a title has ${title.length} characters, ${titleMax} is the most: ${title}`);
}

function ownFiles(): { name: string; text: string }[] {
  return ['apps', 'libs', 'tests', 'tools', 'deploy'].flatMap((group) =>
    tsFiles(path.join(repository, group))
      .filter((name) => !name.includes('node_modules') && !/(^|\/)gen\//.test(name))
      .map((name) => ({ name: `${group}/${name}`, text: readFileSync(path.join(repository, group, name), 'utf8') })),
  );
}
