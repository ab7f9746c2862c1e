/** Paths that a local run keeps between starts, below `.data/` (or STORE_DATA_DIR). */
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CannotStart } from './cannot-start.ts';

export const repository = fileURLToPath(new URL('../../', import.meta.url));

/** What starts an app, of this repository or of another. */
export const runFile = (app: string, folder = repository): string => path.join(folder, 'apps', app, 'src/run.ts');

/** What Node has compiled, types stripped: without it a process takes four tenths more processor time until it is ready. */
export const compiledDir = path.join(repository, '.cache/compiled');

/** The folder of the local run, made when it does not exist. */
export function dataDir(): string {
  const dir = path.resolve(repository, process.env.STORE_DATA_DIR ?? '.data');
  try {
    mkdirSync(dir, { recursive: true });
    accessSync(dir, constants.W_OK);
  } catch (error) {
    throw new CannotStart(`The data directory ${dir} cannot be written; set STORE_DATA_DIR to one that can.`, { cause: error });
  }
  return dir;
}

export function readJson<T>(file: string): T | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined;
}

export function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
}
