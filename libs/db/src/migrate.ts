/** Runs a service's migrations, one process at a time. */
import { type Constructor, MikroORM } from '@mikro-orm/core';
import { type Migration, Migrator } from '@mikro-orm/migrations';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import pg from 'pg';

export interface MigrateOptions {
  url: string;
  schema: string;
  /** By name, oldest first. */
  migrations: Record<string, Constructor<Migration>>;
}

/** How pg_stat_activity shows a migration. */
export const migrationsApplication = (schema: string): string => `store-${schema}-migrations`;

/**
 * Brings the schema up to date. MikroORM's migrator takes no lock and two at once fail, so an
 * advisory lock on a connection of its own holds others back.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const lock = new pg.Client({ connectionString: options.url, application_name: migrationsApplication(options.schema) });
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock(hashtext($1))', [`migrate:${options.schema}`]);
    await lock.query(`create schema if not exists ${lock.escapeIdentifier(options.schema)}`);
    const orm = await MikroORM.init({
      driver: PostgreSqlDriver,
      clientUrl: options.url,
      schema: options.schema,
      entities: [],
      discovery: { warnWhenNoEntities: false },
      extensions: [Migrator],
      pool: { min: 0, max: 2 },
      driverOptions: { application_name: migrationsApplication(options.schema) },
      logger: () => undefined,
      migrations: {
        tableName: `${options.schema}.migrations`,
        snapshot: false,
        migrationsList: Object.entries(options.migrations).map(([name, migration]) => ({ name, class: migration })),
      },
    });
    try {
      await orm.migrator.up();
    } finally {
      await orm.close(true);
    }
  } finally {
    await lock.end();
  }
}
