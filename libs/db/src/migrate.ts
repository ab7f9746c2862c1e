/** Runs a service's migrations, one process at a time, beside processes that use the schema. */

import { setTimeout as wait } from 'node:timers/promises';
import { type Constructor, MikroORM } from '@mikro-orm/core';
import { Migration, Migrator } from '@mikro-orm/migrations';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import pg from 'pg';
import { askOf } from './citus.ts';
import { distributeAdded } from './distribute-by-store.ts';
import { sqlState } from './pg/database-errors.ts';
import { type AskOne, oneAtATime } from './pg/one-at-a-time.ts';
import { closeSession, newSession, sessionConfig } from './pg/session.ts';

export interface MigrateOptions {
  url: string;
  schema: string;
  /** By name, oldest first; a name never changes once it has run anywhere. */
  migrations: Record<string, Constructor<Migration>>;
  /** Called each time a migration has to wait for other sessions, where the schema is ahead, and where tables were distributed. */
  say?: (sentence: string) => void;
  waits?: { lockTimeoutMs: number; againAfterMs: number };
}

/** Every request for a table waits behind a migration that waits for its lock, so that wait is short (D278). */
const waitsDefault = { lockTimeoutMs: 2_000, againAfterMs: 3_000 };

function migrationOf(texts: string[], isTransactional: boolean): Constructor<Migration> {
  return class extends Migration {
    override isTransactional(): boolean {
      return isTransactional;
    }

    override up(): void {
      for (const text of texts) this.addSql(text);
    }
  };
}

/** A migration of a few statements, in one transaction. */
export const statements = (...texts: string[]) => migrationOf(texts, true);

/** Statements that hold no lock for long, each of which may be repeated; they commit one by one. */
export const outsideTransaction = (...texts: string[]) => migrationOf(texts, false);

/**
 * Indexes of large tables: `create index concurrently if not exists …`, outside any transaction, while writes go on. It waits for older
 * transactions.
 */
export const buildIndexes = (...texts: string[]) => outsideTransaction('set lock_timeout = 0', ...texts, 'reset lock_timeout');

const migrationsApplication = (schema: string): string => `store-${schema}-migrations`;
const lookEveryMs = 100;
/** Interval of the heartbeat on the lock's session; a session without heartbeats ends, and with it the lock. */
const heartbeatEveryMs = 5_000;
const idleMaxMs = 30_000;

/** MikroORM's migrator takes no lock and fails when it runs twice at once, so an advisory lock on a session of its own does. */
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
    await demandVersion(ask);
    await takeLock(lock, options.schema);
    heartbeat = setInterval(() => void ask({ text: 'select 1' }).catch((error: unknown) => lock.emit('error', error)), heartbeatEveryMs);
    await makeSchema(ask, options.schema);
    await Promise.race([up(options, applicationName), lost]);
    await Promise.race([distribute(options, ask), lost]);
  } finally {
    clearInterval(heartbeat);
    await closeSession(lock);
  }
}

/** Before the lock is given back: a process that waits for it then finds all tables where it expects them. */
async function distribute({ url, schema, say }: MigrateOptions, ask: AskOne): Promise<void> {
  const added = await distributeAdded(askOf({ query: (text, values) => ask({ text, values }) }), url, schema);
  if (added) say?.(`The tables that migrations added to ${schema} are distributed by store`);
}

/** As server_version_num counts; older ones were never tried. */
const serverVersionMin = 150_000;

async function demandVersion(ask: AskOne): Promise<void> {
  const { rows } = await ask({
    text: `select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
  });
  const [{ number, name }] = rows as [{ number: number; name: string }];
  if (number < serverVersionMin) throw new Error(`PostgreSQL ${serverVersionMin / 10_000} or later is needed; this is ${name}`);
}

/** Checked before it is created: a role that owns its schema may create no other, not even with `if not exists`. */
async function makeSchema(ask: AskOne, schema: string): Promise<void> {
  const { rowCount } = await ask({ text: 'select from pg_namespace where nspname = $1', values: [schema] });
  if (rowCount === 0) await ask({ text: `create schema ${pg.escapeIdentifier(schema)}` });
}

/** Tried, not waited for: a waiting statement does not show whether the connection still works. */
async function takeLock(lock: pg.Client, schema: string): Promise<void> {
  const text = 'select pg_try_advisory_lock(hashtext($1)) as mine';
  while (!(await lock.query<{ mine: boolean }>(text, [`migrate:${schema}`])).rows[0]!.mine) await wait(lookEveryMs);
}

async function up({ url, schema, migrations, say, waits = waitsDefault }: MigrateOptions, applicationName: string): Promise<void> {
  const orm = await MikroORM.init({
    driver: PostgreSqlDriver,
    clientUrl: url,
    schema,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    // One connection, so that a setting of a statement holds for the next.
    pool: { min: 0, max: 1 },
    // No statement timeout: an index on a large table takes as long as it needs.
    driverOptions: { ...sessionConfig({ url, applicationName, queryTimeoutMs: 0 }), lock_timeout: waits.lockTimeoutMs },
    logger: () => undefined,
    migrations: {
      tableName: `${schema}.migrations`,
      snapshot: false,
      // Each commits by itself: none holds its locks while the next waits for its own.
      allOrNothing: false,
      migrationsList: Object.entries(migrations).map(([name, migration]) => ({ name, class: migration })),
    },
  });
  try {
    const ahead = (await orm.migrator.getExecuted()).map(({ name }) => name).filter((name) => !(name in migrations));
    if (ahead.length > 0) say?.(`The schema ${schema} is ahead of this version, which does not know ${ahead.join(', ')}`);
    for (;;) {
      try {
        await dropHalfBuilt(orm, schema);
        await orm.migrator.up();
        return;
      } catch (error) {
        if (sqlState(error) === notAllowed)
          throw new Error(
            `The schema ${schema} lacks a migration that this user of PostgreSQL may not run: run migrate as its owner first`,
            {
              cause: error,
            },
          );
        if (sqlState(error) !== lockNotAvailable) throw error;
        say?.(`A migration of ${schema} could not lock in time a table that others use; it is tried again`);
        await wait(waits.againAfterMs);
      }
    }
  } finally {
    await orm.close(true);
  }
}

const lockNotAvailable = '55P03';
const notAllowed = '42501';

/** An index whose concurrent build was cut off is kept up to date but serves no statement; `if not exists` would leave it so. */
async function dropHalfBuilt(orm: MikroORM<PostgreSqlDriver>, schema: string): Promise<void> {
  const ours = await orm.em.getConnection().execute<{ name: string }[]>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_index i join pg_class c on c.oid = i.indexrelid
      join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = ? and not i.indisvalid and c.relname !~ '_cc(new|old)[0-9]*$'`,
    [schema],
  );
  for (const { name } of ours) await orm.em.getConnection().execute(`drop index concurrently if exists ${name}`);
}
