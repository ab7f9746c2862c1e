/** `relay`: publishes the outbox of the app, or of all, in a process of its own, beside services with RELAY=elsewhere. */
import { parseArgs } from 'node:util';
import { type AppName, appNames } from '@store/contract';
import { closeSession, type Db, type DbOptions, newSession, openDb, sqlState, waitOrAbort } from '@store/db';
import { printUsage } from './command.ts';
import { BadConfig, readConfig, serviceSettings } from './config.ts';
import { databaseUrls, type OwnDatabase } from './database-urls.ts';
import { openRelay } from './open-relay.ts';
import { runProcess } from './run-process.ts';
import { Lifecycle, type Running, type StartOptions } from './service.ts';
import { type ConsumerDeclaration, startConsumer } from './start-consumer.ts';
import { commonEntities } from './start-service.ts';

const usage = `relay: publishes the events that services have written; services are then started with RELAY=elsewhere.

  --all             of every schema, where this app is the gateway; without it, of the schema of this app
  --help

The gateway's also writes the audit trail from all events.

DATABASE_URL, KAFKA_BROKERS and the other settings of events hold here as for services. With --all, <APP>_DATABASE_URL, such as
CATALOG_DATABASE_URL, is the address for that schema where its role has one of its own, and <APP>_DATABASE_SESSION_URL that of
PostgreSQL itself where that one leads through a pooler. Any number of such processes may run: one publishes a schema at a time, and
another takes over when it ends. Give it less of the processor than what answers requests.`;

/** Commits within this time travel together while a service is busy. */
const lingerMs = 15;
/** At hundreds of events a second. */
const busyLingerMs = 40;
const attemptEveryMs = 500;
const unreachable = 'The relay cannot reach PostgreSQL yet; trying again';
const unreadable = "The relay's user of PostgreSQL may not read the schema, so its events wait; trying again";
const notAllowed = '42501';
/** One batch at a time, and what reads between two. */
const consumerPoolMax = 2;

/** Work of the app's own relay process besides: it waits for the schema of this version, then runs the consumer. */
interface WithRelay {
  consumer: ConsumerDeclaration;
  /** By name, oldest first. */
  migrations: object;
}

export async function relayCommand(app: AppName, args: string[], own?: WithRelay): Promise<boolean> {
  const options = { all: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } } as const;
  const { all, help } = parseArgs({ args, options }).values;
  if (help) return printUsage(usage);
  if (all && app !== 'gateway') throw new BadConfig('relay --all is a command of the gateway: its relay also writes the audit trail.');
  const schemas = all ? appNames : [app];
  await runProcess(all ? 'relay' : `${app}-relay`, (started) => startRelays(schemas, { ...started, app, own }));
  return true;
}

interface RelaysOptions extends StartOptions {
  app: AppName;
  own: WithRelay | undefined;
}

async function startRelays(schemas: readonly AppName[], options: RelaysOptions): Promise<Running> {
  const { env, log, transport, app, own } = options;
  const nameless = schemas.filter((schema) => !env.DATABASE_URL && !env[databaseVariable(schema)]);
  if (nameless.length > 0) throw new BadConfig(`Name PostgreSQL by DATABASE_URL, or by ${nameless.map(databaseVariable).join(', ')}.`);
  const places = schemas.map((schema) => ({ schema, ...urlsOf(schema, env) }));
  const life = new Lifecycle(log);
  const stopping = new AbortController();
  const waiting = places.map(async ({ schema, url, sessionUrl, isPooled }) => {
    const lastMigration = schema === app && own ? Object.keys(own.migrations).at(-1) : undefined;
    const relay = openRelay(schema, { url: sessionUrl, transport, log, lingerMs, busyLingerMs });
    // The service migrates its schema, and may start later than this process.
    while (!stopping.signal.aborted && !(await isMigrated({ url, schema, lastMigration }, log)))
      await waitOrAbort(attemptEveryMs, stopping.signal);
    if (stopping.signal.aborted) return;
    relay.start();
    life.onStop(`relay of ${schema}`, () => relay.stop());
    if (schema !== app || !own) return;
    const db = await openedDb({ url, isPooled, schema, entities: commonEntities, poolMax: consumerPoolMax }, log, stopping.signal);
    if (!db) return;
    life.onStop('database', () => db.close());
    life.onStop('consumer', () => transport.stopConsuming?.());
    await startConsumer(app, own.consumer, { db, log, transport });
  });
  life.beforeStop('start of the relays', async () => {
    stopping.abort();
    await Promise.all(waiting);
  });
  return { address: schemas.join(', '), stop: () => life.stop() };
}

const databaseVariable = (schema: string) => `${schema.toUpperCase()}_DATABASE_URL`;

function urlsOf(schema: string, env: NodeJS.ProcessEnv): OwnDatabase {
  const { DATABASE_URL, DATABASE_SESSION_URL } = serviceSettings;
  const named = env[databaseVariable(schema)];
  const urls = named ? { DATABASE_URL: named, DATABASE_SESSION_URL: env[`${schema.toUpperCase()}_DATABASE_SESSION_URL`] } : env;
  return databaseUrls(readConfig({ DATABASE_URL, DATABASE_SESSION_URL }, urls));
}

/** Undefined: the process stops before PostgreSQL could be reached. */
async function openedDb(options: DbOptions, log: StartOptions['log'], signal: AbortSignal): Promise<Db | undefined> {
  while (!signal.aborted) {
    try {
      return await openDb(options);
    } catch (error) {
      log.warn({ err: error, schema: options.schema }, unreachable);
      await waitOrAbort(attemptEveryMs, signal);
    }
  }
  return undefined;
}

interface AwaitedSchema {
  url: string;
  schema: string;
  /** The newest of this version; absent: any version with an outbox will do. */
  lastMigration: string | undefined;
}

/** Whether the schema is as far as this process needs it; false too when PostgreSQL does not answer. */
export async function isMigrated({ url, schema, lastMigration }: AwaitedSchema, log: StartOptions['log']): Promise<boolean> {
  const client = newSession({ url, applicationName: `store-${schema}-relay` });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query('select to_regclass($1) is not null as migrated', [`${schema}.outbox`]);
    if (!rows[0].migrated || lastMigration === undefined) return rows[0].migrated;
    const last = await client.query(`select from ${client.escapeIdentifier(schema)}.migrations where name = $1`, [lastMigration]);
    return last.rowCount === 1;
  } catch (error) {
    log.warn({ err: error, schema }, sqlState(error) === notAllowed ? unreadable : unreachable);
    return false;
  } finally {
    await closeSession(client).catch((error: unknown) => log.warn({ err: error, schema }, 'A session of the relay did not close'));
  }
}
