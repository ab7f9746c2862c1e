/**
 * A database of its own for every test file: a copy of a template that holds the app's migrated
 * schema, made once per content of its migrations.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { distributeAll, formOfCluster, joinNodes, serversOf } from './citus-nodes.ts';
import { withClient } from './with-client.ts';

export interface TestDatabase {
  /** PostgreSQL URL of the copy. */
  url: string;
  /** Drops it; open connections are closed. */
  close(): Promise<void>;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Files that define the tables of every schema. */
const sharedTables = [
  'libs/db/src/distribute-by-store.ts',
  'libs/db/src/keys-by-store.ts',
  'libs/db/src/idempotency.ts',
  'libs/db/src/running-totals.ts',
  'libs/db/src/store-columns.ts',
  'libs/db/src/store-keys.ts',
  'libs/events/src/outbox/emit.ts',
  'libs/service/src/store-copy.ts',
];

/**
 * A fresh database with what `migrate` makes in an empty one, which depends on the migrations of `apps`: by default of the app
 * with which `name` begins, as in sales_schema. `isDistributed: false`: on a cluster too it is one of the coordinator alone.
 */
export async function testDatabase(
  name: string,
  migrate: (url: string) => Promise<void>,
  apps: readonly string[] = [name.split('_')[0]!],
  { isDistributed = true } = {},
): Promise<TestDatabase> {
  const [server, ...others] = await serversOf(serverUrl());
  const workers = isDistributed ? others : [];
  const form = workers.length > 0 ? formOfCluster : 'whole';
  const template = `template_${form}_${name}_${contentHash(apps, migrate)}`;
  const copy = `case_${name}_${randomUUID().replaceAll('-', '')}`;
  await withClient(server!, async (client) => {
    // Two workers may need the same template at once: the second waits for the first.
    await client.query('select pg_advisory_lock(hashtext($1))', [template]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
    if (rowCount === 0) await makeTemplate([server!, ...workers], template, migrate, apps);
    for (const node of [server!, ...workers]) await withClient(node, (one) => one.query(`create database ${copy} template ${template}`));
  });
  return {
    url: databaseUrl(server!, copy),
    close: async () => {
      for (const node of [server!, ...workers]) await withClient(node, (client) => drop(client, copy));
    },
  };
}

/** Also drops the roles of its schemas, which are named after it. */
async function drop(client: pg.Client, name: string): Promise<void> {
  await client.query(`drop database if exists ${name} with (force)`);
  const { rows } = await client.query<{ role: string }>('select rolname as role from pg_roles where starts_with(rolname, $1)', [
    `${name}_`,
  ]);
  for (const { role } of rows) await client.query(`drop role if exists ${client.escapeIdentifier(role)}`);
}

/** It is renamed to its final name when complete, so that a killed run leaves no half-migrated template. */
async function makeTemplate(
  servers: string[],
  template: string,
  migrate: (url: string) => Promise<void>,
  schemas: readonly string[],
): Promise<void> {
  const unfinished = `${template}_new`;
  const urls = servers.map((server) => databaseUrl(server, unfinished));
  for (const server of servers) {
    await withClient(server, async (client) => {
      await client.query(`drop database if exists ${unfinished} with (force)`);
      await client.query(`create database ${unfinished}`);
    });
  }
  const isCluster = servers.length > 1;
  if (isCluster) await joinNodes(urls);
  await migrate(urls[0]!);
  if (isCluster) await distributeAll(urls[0]!, schemas);
  // The coordinator's last, as its name says that it is complete.
  for (const server of servers.toReversed()) {
    await withClient(server, async (client) => {
      // A connection that the migration has closed may still be ending; a template must have none.
      await client.query(`alter database ${unfinished} with allow_connections false`);
      await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [unfinished]);
      await client.query(`drop database if exists ${template} with (force)`);
      await client.query(`alter database ${unfinished} rename to ${template}`);
    });
  }
}

function contentHash(apps: readonly string[], migrate: (url: string) => Promise<void>): string {
  const folders = apps.map((app) => path.join(root, 'apps', app, 'src/migrations')).filter((folder) => existsSync(folder));
  const own = folders.flatMap((folder) => readdirSync(folder).map((file) => path.join(folder, file)));
  const hash = createHash('sha256').update(migrate.toString());
  for (const file of [...sharedTables.map((shared) => path.join(root, shared)), ...own.sort()]) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

function serverUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error('TEST_DATABASE_URL is not set: run the tests through npm test or nx, which start PostgreSQL');
  return url;
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
