/** A PgBouncer in front of a test's PostgreSQL. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { until } from '@store/testbed/until';
import { endChild } from '../../tools/local/end-child.ts';
import { freePort } from '../../tools/local/free-port.ts';
import { portIsOpen } from '../../tools/local/port-is-open.ts';

export interface PgBouncer {
  /** The same database, user and password, through PgBouncer. */
  through(url: string): string;
  kill(): Promise<void>;
  /** Another one, at the same port. */
  start(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  close(): Promise<void>;
}

export interface PgBouncerOptions {
  mode: 'session' | 'transaction';
  /** Addresses of PostgreSQL, each with its user and password. */
  urls: string[];
  /** Names replace those below. */
  settings?: Record<string, string>;
}

/** It keeps apart the prepared statements of clients that share a connection. */
const keepsStatementsSince = 1.21;
const readyWithinMs = 10_000;
/** It refuses to run as root. */
const nobody = 65_534;

function versionOf(program: string): number {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return Number(/PgBouncer (\d+\.\d+)/.exec(stdout ?? '')?.[1] ?? 0);
}

/** The program of that mode; undefined where none is installed. */
export function pgBouncerFor(mode: PgBouncerOptions['mode']): string | undefined {
  const least = mode === 'transaction' ? keepsStatementsSince : 1;
  return ['pgbouncer', 'pgbouncer-1.25'].find((program) => versionOf(program) >= least);
}

export async function startPgBouncer({ mode, urls, settings = {} }: PgBouncerOptions): Promise<PgBouncer> {
  const program = pgBouncerFor(mode);
  if (!program) throw new Error(`no PgBouncer for ${mode} mode is installed`);
  const dir = mkdtempSync(path.join(os.tmpdir(), 'store-pgbouncer-'));
  chmodSync(dir, 0o755);
  const port = await freePort(0);
  const users = new Map(urls.map((url) => [new URL(url).username, new URL(url).password]));
  const written = [...users].map(([user, password]) => `"${decodeURIComponent(user)}" "${decodeURIComponent(password)}"\n`);
  writeFileSync(path.join(dir, 'users.txt'), written.join(''));
  const { hostname, port: serverPort } = new URL(urls[0]!);
  const all = {
    ...{ listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'plain', auth_file: path.join(dir, 'users.txt') },
    ...{ pool_mode: mode, default_pool_size: 20, max_client_conn: 1_000, ignore_startup_parameters: 'extra_float_digits,options' },
    ...(mode === 'transaction' && { max_prepared_statements: 500 }),
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const file = path.join(dir, 'pgbouncer.ini');
  writeFileSync(file, `[databases]\n* = host=${hostname} port=${serverPort}\n[pgbouncer]\n${lines.join('\n')}\n`);
  let running: ChildProcess | undefined;
  let isWanted = false;
  /** As a supervisor does: 1.18 ends itself ("bad client state") when a cancelled statement's connection fails meanwhile. */
  const spawnAgain = () => {
    if (isWanted) launch();
  };
  const launch = () => {
    running = spawn(program, ['-q', file], { stdio: 'ignore', ...(process.getuid?.() === 0 && { uid: nobody, gid: nobody }) });
    running.once('exit', spawnAgain);
  };
  const start = async () => {
    launch();
    await until(() => portIsOpen(`127.0.0.1:${port}`), readyWithinMs);
    isWanted = true;
  };
  const kill = async () => {
    isWanted = false;
    if (running) await endChild(running, 'SIGKILL');
  };
  await start();
  return {
    through: (url) => {
      const pooled = new URL(url);
      pooled.host = `127.0.0.1:${port}`;
      return pooled.href;
    },
    kill,
    start,
    signal: (signal) => void running?.kill(signal),
    close: async () => {
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
