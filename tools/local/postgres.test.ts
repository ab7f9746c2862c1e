import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ask } from '@store/testbed/with-client';
import { repository } from './data-dir.ts';
import { startPostgres } from './postgres.ts';
import { isAlive, readPostmaster } from './postgres-leftover.ts';

const silent = () => undefined;
const startMaxMs = 60_000;
let folder: string;
let dataDir: string;

beforeEach(() => {
  mkdirSync(path.join(repository, '.cache'), { recursive: true });
  folder = mkdtempSync(path.join(repository, '.cache/postgres-test-'));
  // A temporary folder is accessible to its creator only; PostgreSQL may run as another user.
  mkdirSync(path.join(folder, 'open'), { mode: 0o755 });
  chmodSync(folder, 0o711);
  dataDir = path.join(folder, 'open', 'postgres');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A separate process that starts PostgreSQL and then does nothing. */
async function runThatHolds(): Promise<ChildProcess> {
  const program = `import { startPostgres } from '${repository}tools/local/postgres.ts';
    await startPostgres({ dataDir: '${dataDir}', durable: false, log: () => undefined });
    console.log('up'); setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout!, 'data');
  return child;
}

test(
  'data survives a stop and a start, in UTF-8 and UTC, under the same password',
  async () => {
    const first = await startPostgres({ dataDir, durable: true, log: silent });
    await ask(first.url, `create table notes (text text); insert into notes values ('häkchen ✓')`);
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);
    const second = await startPostgres({ dataDir, durable: true, log: silent });
    expect(await ask(second.url, 'select text from notes')).toEqual([{ text: 'häkchen ✓' }]);
    expect(await ask(second.url, `select current_setting('TimeZone') as zone, current_setting('fsync') as fsync`)).toEqual([
      { zone: 'UTC', fsync: 'on' },
    ]);
    expect(new URL(second.url).password).toBe(new URL(first.url).password);
    expect(statSync(`${dataDir}.password`).mode & 0o777).toBe(0o600);
    await second.stop();
  },
  startMaxMs,
);

test(
  'a killed run does not stop the next start; a live run is left alone',
  async () => {
    const run = await runThatHolds();
    const postmaster = readPostmaster(dataDir)!;
    await expect(startPostgres({ dataDir, durable: false, log: silent })).rejects.toThrow(`is in use by process ${run.pid}`);
    run.kill('SIGKILL');
    await once(run, 'exit');
    expect(isAlive(postmaster.pid)).toBe(true);
    const next = await startPostgres({ dataDir, durable: false, log: silent });
    expect(isAlive(postmaster.pid)).toBe(false);
    await next.stop();
  },
  startMaxMs,
);

test(
  'another port is chosen when the wanted one is taken',
  async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const postgres = await startPostgres({ dataDir, port, durable: false, log: silent });
    expect(Number(new URL(postgres.url).port)).not.toBe(port);
    await postgres.stop();
    taken.close();
  },
  startMaxMs,
);

test('a place that cannot be written is one sentence', async () => {
  writeFileSync(path.join(folder, 'file'), '');
  const start = startPostgres({ dataDir: path.join(folder, 'file/data/postgres'), durable: false, log: silent });
  await expect(start).rejects.toThrow(/^\S+ cannot be written \(ENOTDIR\): it must be a folder of the user who runs this\.$/);
});
