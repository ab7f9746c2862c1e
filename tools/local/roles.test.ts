import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Migration } from '@mikro-orm/migrations';
import { appNames } from '@store/contract';
import { addExtensions, makeSchemaRoles, migrate, migrationRoleName, roleName, roleUrl } from '@store/db';
import { type TestDatabase, testDatabase } from '@store/testbed/database';
import { ask, openClient } from '@store/testbed/with-client';
import { migrationsOf } from './apps.ts';
import { repository } from './data-dir.ts';
import { runScript } from './run-script.testing.ts';
import { schemaUrls } from './schema-urls.ts';

const schemas: string[] = appNames;
const roles = schemas.map((schema) => ({ schema, password: `of ${schema}: ü'"@/` }));
const open: TestDatabase[] = [];

afterAll(async () => {
  for (const database of open) await database.close();
});

async function emptyDatabase(): Promise<string> {
  const database = await testDatabase('roles', async () => undefined);
  open.push(database);
  return database.url;
}

/** The SQLSTATE that refuses the statement, or undefined when it ran. */
async function refusal(url: string, text: string): Promise<string | undefined> {
  return ask(url, text).then(
    () => undefined,
    (error: unknown) => (error as { code: string }).code,
  );
}

const insufficientPrivilege = '42501';
const as = (url: string, schema: string) => roleUrl(url, roles.find((role) => role.schema === schema)!);

describe('one role per schema', () => {
  let url: string;
  beforeAll(async () => {
    url = await emptyDatabase();
    await makeSchemaRoles(url, roles);
    for (const schema of schemas) await migrate({ url: as(url, schema), schema, migrations: await migrationsOf(schema) });
  });

  const pairs = schemas.flatMap((own) => schemas.filter((other) => other !== own).map((other) => [own, other] as const));
  test.each(pairs)("%s's role has no right on the schema %s: no read, write, create or drop", async (own, other) => {
    const attempts = [
      `select count(*) from ${other}.outbox`,
      `insert into ${other}.inbox (event_id) values (gen_random_uuid())`,
      `update ${other}.dead_letters set error = ''`,
      `delete from ${other}.outbox`,
      `begin; lock table ${other}.outbox`,
      `create table ${other}.planted (id int)`,
      `create table planted (like ${other}.outbox)`,
      `alter table ${other}.outbox add planted int`,
      `drop table ${other}.outbox`,
      `truncate ${other}.outbox`,
      `drop schema ${other} cascade`,
      `grant usage on schema ${other} to current_user`,
      `set role "${roleName(new URL(url).pathname.slice(1), other)}"`,
    ];
    for (const text of attempts) expect([text, await refusal(as(url, own), text)]).toEqual([text, insufficientPrivilege]);
  });

  test.each(schemas)("%s's role owns all of its own schema, and can add to it", async (schema) => {
    expect(await refusal(as(url, schema), `select count(*) from ${schema}.outbox`)).toBeUndefined();
    const added = `create table ${schema}.added (id int generated always as identity); drop table ${schema}.added`;
    expect(await refusal(as(url, schema), added)).toBeUndefined();
    const owners = await ask(url, `select distinct tableowner as role from pg_tables where schemaname = '${schema}'`);
    expect(owners).toEqual([{ role: roleName(new URL(url).pathname.slice(1), schema) }]);
    // A refused row is not logged with its values.
    expect(await ask(as(url, schema), 'show log_error_verbosity')).toEqual([{ log_error_verbosity: 'terse' }]);
  });

  test.each(schemas)("%s's role can create no schema, database, role or extension", async (schema) => {
    for (const text of ['create schema planted', 'create database planted', 'create role planted', 'create extension hstore'])
      expect([text, await refusal(as(url, schema), text)]).toEqual([text, insufficientPrivilege]);
  });

  test('a second migration finds nothing to do, by the same role', async () => {
    for (const schema of schemas) await migrate({ url: as(url, schema), schema, migrations: await migrationsOf(schema) });
  });
});

describe('a second role that migrates', () => {
  const migrating = roles.map((role) => ({ ...role, migrationPassword: `migrates ${role.schema}` }));
  const asOwner = (url: string, schema: string) => {
    const own = new URL(url);
    own.username = migrationRoleName(own.pathname.slice(1), schema);
    own.password = encodeURIComponent(`migrates ${schema}`);
    return own.href;
  };
  const migrations = Object.fromEntries(schemas.map((schema) => [schema, migrationsOf(schema)]));
  let url: string;
  beforeAll(async () => {
    url = await emptyDatabase();
    // Half of the schemas had one role before, and were migrated by it.
    await makeSchemaRoles(url, roles.slice(0, 3));
    for (const { schema } of roles.slice(0, 3)) await migrate({ url: as(url, schema), schema, migrations: await migrations[schema]! });
    await makeSchemaRoles(url, migrating);
    for (const schema of schemas) await migrate({ url: asOwner(url, schema), schema, migrations: await migrations[schema]! });
    // Run again for the passwords alone, it takes nothing back.
    await makeSchemaRoles(url, roles);
  });

  test.each(schemas)('of %s leaves to the service rows alone, in tables old and new', async (schema) => {
    expect(await refusal(asOwner(url, schema), `create table ${schema}.added (id int generated always as identity)`)).toBeUndefined();
    const rows = `insert into ${schema}.added default values; select * from ${schema}.added; update ${schema}.dead_letters set error = error;
      delete from ${schema}.added`;
    expect(await refusal(as(url, schema), rows)).toBeUndefined();
    for (const text of [
      `create table ${schema}.planted (id int)`,
      `alter table ${schema}.outbox add planted int`,
      `drop table ${schema}.added`,
      `truncate ${schema}.outbox`,
      `create index on ${schema}.dead_letters (error)`,
      `drop schema ${schema} cascade`,
    ])
      expect([text, await refusal(as(url, schema), text)]).toEqual([text, insufficientPrivilege]);
  });

  test('and a starting service finds its schema up to date, or says who migrates it', async () => {
    for (const schema of schemas) await migrate({ url: as(url, schema), schema, migrations: await migrations[schema]! });
    class Missing extends Migration {
      override up(): void {
        this.addSql('create table catalog.missing (id int)');
      }
    }
    const behind = {
      url: as(url, 'catalog'),
      schema: 'catalog',
      migrations: { ...(await migrations.catalog!), 'Migration99-missing': Missing },
    };
    await expect(migrate(behind)).rejects.toThrow(
      'The schema catalog lacks a migration that this user of PostgreSQL may not run: run migrate as its owner first',
    );
  });
});

test('an installation of another user is given to the roles; passwords can change', async () => {
  const url = await emptyDatabase();
  for (const schema of schemas) await migrate({ url, schema, migrations: await migrationsOf(schema) });
  await ask(url, `create function catalog.kept() returns int language sql as 'select 1'; create type catalog.kind as enum ('a')`);
  await makeSchemaRoles(url, roles);
  await makeSchemaRoles(url, roles);
  const own = as(url, 'catalog');
  expect(
    await refusal(own, 'alter table catalog.products add added int; drop function catalog.kept(); drop type catalog.kind'),
  ).toBeUndefined();
  expect(await refusal(own, 'select count(*) from gateway.api_keys')).toBe(insufficientPrivilege);

  await makeSchemaRoles(url, [{ schema: 'catalog', password: 'new' }]);
  expect(await refusal(own, 'select 1')).toBe('28P01');
  expect(await refusal(roleUrl(url, { schema: 'catalog', password: 'new' }), 'select count(*) from catalog.products')).toBeUndefined();
});

test('a user with CREATEROLE, and CREATE on the database, makes the roles, twice', async () => {
  const url = await emptyDatabase();
  const maker = `${new URL(url).pathname.slice(1)}_maker`;
  await ask(
    url,
    `create role ${maker} login createrole password 'm'; grant create on database ${maker.slice(0, -'_maker'.length)} to ${maker}`,
  );
  const own = new URL(url);
  [own.username, own.password] = [maker, 'm'];
  await makeSchemaRoles(own.href, roles);
  await makeSchemaRoles(own.href, roles);
  for (const schema of schemas) expect(await refusal(as(url, schema), `create table ${schema}.made (id int)`)).toBeUndefined();
});

/** The text of all migrations of an app. */
function migrationsText(app: string): string {
  const folder = path.join(repository, 'apps', app, 'src/migrations');
  return readdirSync(folder)
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('\n');
}

test('no migration adds an extension: a role may not, and two would add it twice', () => {
  for (const app of appNames) expect(migrationsText(app)).not.toMatch(/create extension/i);
});

test('services that migrate a new database at once all succeed; one adds extensions', async () => {
  const url = await emptyDatabase();
  const adding = schemas.filter((schema) => migrationsText(schema).includes('this.addSql(addExtensions)')).length;
  // Those that wait show that all would have added them.
  const first = await openClient(url);
  await first.query(`begin; ${addExtensions}`);
  const migrated = Promise.all(schemas.map(async (schema) => migrate({ url, schema, migrations: await migrationsOf(schema) })));
  const waiting = `select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  while ((await ask(url, waiting))[0]!.n !== adding) await new Promise((resolve) => setTimeout(resolve, 20));
  await first.query('commit');
  await first.end();
  await migrated;
  for (const schema of schemas) expect(await ask(url, `select count(*)::int as n from ${schema}.outbox`)).toEqual([{ n: 0 }]);
});

test('a fleet logs each service in by its own role where it may make roles', async () => {
  const url = await emptyDatabase();
  const said: string[] = [];
  const urls = await schemaUrls(url, ['catalog', 'gateway'], (line) => said.push(line));
  expect(await ask(urls.catalog!, 'select current_user as who')).toEqual([{ who: roleName(new URL(url).pathname.slice(1), 'catalog') }]);
  expect(said).toEqual([]);
  expect(await schemaUrls(urls.catalog!, ['gateway'], (line) => said.push(line))).toEqual({ gateway: urls.catalog });
  expect(said).toHaveLength(1);
});

describe('npm run roles', () => {
  const run = (env: Record<string, string>, ...args: string[]) => runScript(['apps/catalog/src/run.ts', 'roles', ...args], env);

  test('creates a role for each given password', async () => {
    const url = await emptyDatabase();
    const { code, out } = await run({ DATABASE_URL: url, CATALOG_DATABASE_PASSWORD: 'c', GATEWAY_DATABASE_PASSWORD: 'g' });
    expect([code, out]).toEqual([0, expect.stringMatching(/^Roles: case_roles_\w+_catalog, case_roles_\w+_gateway\n$/)]);
    expect(await refusal(roleUrl(url, { schema: 'gateway', password: 'g' }), 'create table gateway.t (id int)')).toBeUndefined();
    const second = await run({ DATABASE_URL: url, CATALOG_DATABASE_PASSWORD: 'c', CATALOG_MIGRATION_PASSWORD: 'm' });
    expect([second.code, second.out]).toEqual([0, expect.stringMatching(/^Roles: (case_roles_\w+_catalog), \1_migration\n$/)]);
  });

  test('says in one sentence what is missing', async () => {
    expect(await run({})).toEqual({ code: 1, out: '', error: 'Name PostgreSQL by DATABASE_URL.\n' });
    const unnamed = await run({ DATABASE_URL: 'postgres://x@127.0.0.1:1/x' });
    expect(unnamed.error).toBe("Give at least one service's password, such as CATALOG_DATABASE_PASSWORD.\n");
    const unreached = await run({ DATABASE_URL: 'postgres://x@127.0.0.1:1/x', CATALOG_DATABASE_PASSWORD: 'c' });
    expect(unreached.error).toBe('The roles were not made: connect ECONNREFUSED 127.0.0.1:1.\n');
    const misspelt = await run({ DATABASE_URL: 'postgres://x@127.0.0.1:1/x', CATALOGUE_DATABASE_PASSWORD: 'c' });
    expect(misspelt.error).toMatch(/^CATALOGUE_DATABASE_PASSWORD is of no service; the services are catalog, /);
    const alone = await run({
      DATABASE_URL: 'postgres://x@127.0.0.1:1/x',
      GATEWAY_DATABASE_PASSWORD: 'g',
      CATALOG_MIGRATION_PASSWORD: 'm',
    });
    expect(alone.error).toBe('CATALOG_MIGRATION_PASSWORD needs CATALOG_DATABASE_PASSWORD beside it.\n');
    expect((await run({}, '--help')).out).toContain('_DATABASE_PASSWORD');
  });
});
