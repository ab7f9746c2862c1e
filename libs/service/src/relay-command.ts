/**
 * `relay`, a command of every app: publishes the outbox of its schema, or of all schemas, in a process of its own, so that this work
 * does not delay the processes that answer requests. Services are then started with RELAY=elsewhere.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { appNames } from '@store/contract';
import { closeSession, newSession } from '@store/db';
import { Relay } from '@store/events';
import { readConfig, serviceSettings } from './config.ts';
import { runProcess } from './run-process.ts';
import { Lifecycle, type Running, type StartOptions } from './service.ts';

const usage = `relay: publishes the events that services have written; services are then started with RELAY=elsewhere.

  --all             of every schema; without it, of the schema of this app
  --help

DATABASE_URL, KAFKA_BROKERS and the other settings of events hold here as for services. With --all, <APP>_DATABASE_URL, such as
CATALOG_DATABASE_URL, is the address for that schema where its role has one of its own. Any number of such processes may
run: one publishes a schema at a time, and another takes over when it ends. Give it less of the processor than what answers
requests.`;

/** Commits within this time travel together while a service is busy. */
const lingerMs = 15;
/** At hundreds of events a second. */
const busyLingerMs = 40;
const migratedCheckMs = 500;

export async function relayCommand(app: string, args: string[]): Promise<boolean> {
  const options = { all: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } } as const;
  const { all, help } = parseArgs({ args, options }).values;
  if (help) console.log(usage);
  else await runProcess(all ? 'relay' : `${app}-relay`, (started) => startRelays(all ? appNames : [app], started));
  return true;
}

async function startRelays(schemas: readonly string[], { env, log, transport }: StartOptions): Promise<Running> {
  const life = new Lifecycle(log);
  const stopping = new AbortController();
  const waiting = schemas.map(async (schema) => {
    const url = urlOf(schema, env);
    const relay = new Relay({ url, schema, transport, log, lingerMs, busyLingerMs });
    // The service migrates its schema, and may start later than this process.
    while (!stopping.signal.aborted && !(await isMigrated(url, schema, log))) await rest(stopping.signal);
    if (stopping.signal.aborted) return;
    relay.start();
    life.onStop(`relay of ${schema}`, () => relay.stop());
  });
  life.beforeStop('start of the relays', async () => {
    stopping.abort();
    await Promise.all(waiting);
  });
  return { address: schemas.join(', '), stop: () => life.stop() };
}

function urlOf(schema: string, env: NodeJS.ProcessEnv): string {
  const own = env[`${schema.toUpperCase()}_DATABASE_URL`];
  const { DATABASE_URL: url } = readConfig({ DATABASE_URL: serviceSettings.DATABASE_URL }, own ? { DATABASE_URL: own } : env);
  return url;
}

async function isMigrated(url: string, schema: string, log: StartOptions['log']): Promise<boolean> {
  const client = newSession({ url, applicationName: `store-${schema}-relay` });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query('select to_regclass($1) is not null as migrated', [`${schema}.outbox`]);
    return rows[0].migrated;
  } catch (error) {
    log.warn({ err: error, schema }, 'The relay cannot reach PostgreSQL yet; trying again');
    return false;
  } finally {
    await closeSession(client).catch((error: unknown) => log.warn({ err: error, schema }, 'A session of the relay did not close'));
  }
}

async function rest(signal: AbortSignal): Promise<void> {
  try {
    await wait(migratedCheckMs, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
