/** Runs a service's migrations, one process at a time. */

import { setTimeout as wait } from 'node:timers/promises';
import { type Constructor, MikroORM } from '@mikro-orm/core';
import { type Migration, Migrator } from '@mikro-orm/migrations';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import pg from 'pg';
import { type AskOne, oneAtATime } from './one-at-a-time.ts';
import { closeSession, newSession, sessionConfig } from './session.ts';

export interface MigrateOptions {
  url: string;
  schema: string;
  /** By name, oldest first. */
  migrations: Record<string, Constructor<Migration>>;
}

/** How pg_stat_activity shows a migration. */
export const migrationsApplication = (schema: string): string => `store-${schema}-migrations`;
/** Between two looks whether another process has finished. */
const lookEveryMs = 100;
/** The lock is asked for a sign of life as often as that; a session without one ends, and with it the lock. */
const heartbeatEveryMs = 5_000;
const idleMaxMs = 30_000;

/**
 * Brings the schema up to date. MikroORM's migrator takes no lock and two at once fail, so an
 * advisory lock on a connection of its own holds others back.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const applicationName = migrationsApplication(options.schema);
  const lock = newSession({ url: options.url, applicationName, idleMaxMs });
  const lost = new Promise<never>((_resolve, reject) => lock.once('error', reject));
  // Awaited with the migration; avoids an unhandled rejection before that.
  lost.catch(() => undefined);
  await lock.connect();
  const ask = oneAtATime(lock);
  let heartbeat: NodeJS.Timeout | undefined;
  try {
    await takeLock(lock, options.schema);
    heartbeat = setInterval(() => void ask({ text: 'select 1' }).catch((error: unknown) => lock.emit('error', error)), heartbeatEveryMs);
    await makeSchema(ask, options.schema);
    await Promise.race([up(options, applicationName), lost]);
  } finally {
    clearInterval(heartbeat);
    await closeSession(lock);
  }
}

/** Asked for before it is made: a role that owns its schema may make no other, not even `if not exists`. */
async function makeSchema(ask: AskOne, schema: string): Promise<void> {
  const { rowCount } = await ask({ text: 'select from pg_namespace where nspname = $1', values: [schema] });
  if (rowCount === 0) await ask({ text: `create schema ${pg.escapeIdentifier(schema)}` });
}

/** Tried and not waited for: a statement that waits says nothing about whether the connection still lives. */
async function takeLock(lock: pg.Client, schema: string): Promise<void> {
  const text = 'select pg_try_advisory_lock(hashtext($1)) as mine';
  while (!(await lock.query<{ mine: boolean }>(text, [`migrate:${schema}`])).rows[0]!.mine) await wait(lookEveryMs);
}

async function up({ url, schema, migrations }: MigrateOptions, applicationName: string): Promise<void> {
  const orm = await MikroORM.init({
    driver: PostgreSqlDriver,
    clientUrl: url,
    schema,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    pool: { min: 0, max: 2 },
    // An index on a large table takes what it takes.
    driverOptions: sessionConfig({ url, applicationName, queryTimeoutMs: 0 }),
    logger: () => undefined,
    migrations: {
      tableName: `${schema}.migrations`,
      snapshot: false,
      migrationsList: Object.entries(migrations).map(([name, migration]) => ({ name, class: migration })),
    },
  });
  try {
    await orm.migrator.up();
  } finally {
    await orm.close(true);
  }
}
