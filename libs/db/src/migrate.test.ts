import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Migration } from '@mikro-orm/migrations';
import { lockWaits, type TestDatabase, testDatabase } from '@store/testbed';
import pg from 'pg';
import { buildIndexes, migrate } from './migrate.ts';

class First extends Migration {
  override up(): void {
    this.addSql('create table shop.one (id int)');
  }
}
class Second extends Migration {
  override up(): void {
    this.addSql('create table shop.two (id int)');
  }
}
class Broken extends Migration {
  override up(): void {
    this.addSql('create table shop.three (id int)');
    this.addSql('select * from shop.nothing_of_the_kind');
  }
}

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('migrate', async () => undefined);
});
afterAll(() => database.close());

async function tables(): Promise<string[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(`select tablename from pg_tables where schemaname = 'shop' order by 1`);
  await client.end();
  return rows.map((row) => row.tablename as string);
}

test('processes that migrate at the same time all succeed, and each migration runs once', async () => {
  const options = { url: database.url, schema: 'shop', migrations: { '1-first': First } };
  await Promise.all([migrate(options), migrate(options), migrate(options)]);
  expect(await tables()).toEqual(['migrations', 'one']);
});

test('a later migration runs on the existing schema, and a repetition changes nothing', async () => {
  const options = { url: database.url, schema: 'shop', migrations: { '1-first': First, '2-second': Second } };
  await migrate(options);
  await migrate(options);
  expect(await tables()).toEqual(['migrations', 'one', 'two']);
});

test('a migration that fails leaves nothing and does not block the next one', async () => {
  const migrations = { '1-first': First, '2-second': Second, '3-broken': Broken };
  await expect(migrate({ url: database.url, schema: 'shop', migrations })).rejects.toThrow();
  expect(await tables()).toEqual(['migrations', 'one', 'two']);
  await migrate({ url: database.url, schema: 'shop', migrations: { '1-first': First, '2-second': Second } });
});

class AddColumn extends Migration {
  override up(): void {
    this.addSql('alter table shop.one add column name text');
  }
}

test('D278: a migration does not stand in front of those who read a table that is in use; it says so and tries again', async () => {
  const [reader, others] = [new pg.Client({ connectionString: database.url }), new pg.Client({ connectionString: database.url })];
  await Promise.all([reader.connect(), others.connect()]);
  await reader.query('begin');
  await reader.query('select * from shop.one');
  const said: string[] = [];
  const migrations = { '1-first': First, '2-second': Second, '3-add-column': AddColumn };
  const waits = { lockTimeoutMs: 50, againAfterMs: 10 };
  const migrated = migrate({ url: database.url, schema: 'shop', migrations, waits, say: (sentence) => said.push(sentence) });
  while (said.length < 3) await others.query('select * from shop.one');
  await reader.query('commit');
  await migrated;
  expect(new Set(said)).toEqual(
    new Set(['A migration of shop could not lock its table within 0.05 s, as others use it; it is tried again']),
  );
  expect((await others.query('select * from shop.one')).fields.map(({ name }) => name)).toEqual(['id', 'name']);
  await Promise.all([reader.end(), others.end()]);
});

test('D278: an index is built beside writers; one whose build was cut off is dropped and built again', async () => {
  const [client, observer] = [new pg.Client({ connectionString: database.url }), new pg.Client({ connectionString: database.url })];
  await Promise.all([client.connect(), observer.connect()]);
  await client.query('insert into shop.one (id) values (1), (1)');
  const building = buildIndexes('create unique index concurrently if not exists one_id on shop.one (id)');
  const migrations = { '1-first': First, '2-second': Second, '3-add-column': AddColumn, '4-index': building };
  const options = { url: database.url, schema: 'shop', migrations };
  await expect(migrate(options)).rejects.toThrow('could not create unique index');
  const isValid = async () =>
    (await client.query("select indisvalid from pg_index where indexrelid = 'shop.one_id'::regclass")).rows[0].indisvalid;
  expect(await isValid()).toBe(false);
  await client.query('delete from shop.one');
  await client.query('begin');
  await client.query('insert into shop.one (id) values (1)');
  const migrated = migrate(options);
  await lockWaits({ read: async (text) => (await observer.query(String(text))).rows }, 1);
  await client.query('commit');
  await migrated;
  expect(await isValid()).toBe(true);
  await Promise.all([client.end(), observer.end()]);
});
