import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Migration } from '@mikro-orm/migrations';
import { type TestDatabase, testDatabase } from '@store/testbed';
import pg from 'pg';
import { migrate } from './migrate.ts';

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
