import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Migration } from '@mikro-orm/migrations';
import { migrate, oneAtATime, openDb, sql } from '@store/db';
import { type TestDatabase, testDatabase } from './database.ts';
import { type RecordedStatement, recordStatementsIn } from './record-statements.ts';
import { SetClock } from './set-clock.ts';
import { openClient } from './with-client.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'statements-'));
let database: TestDatabase;

class First extends Migration {
  override up(): void {
    this.addSql('create table shop.recorded (id int)');
  }
}

const recorded = (): RecordedStatement[] =>
  readdirSync(folder).map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as RecordedStatement);
const of = (text: string) => recorded().filter((statement) => statement.text.includes(text));

beforeAll(async () => {
  database = await testDatabase('recorded', async () => undefined);
  recordStatementsIn(folder);
});
afterAll(async () => {
  recordStatementsIn(process.env.STORE_STATEMENTS_DIR ?? '');
  await database.close();
  rmSync(folder, { recursive: true });
});

test('every SQL text is recorded once, however it reaches PostgreSQL, with its origin', async () => {
  await migrate({ url: database.url, schema: 'shop', migrations: { '1-first': First } });
  const db = await openDb({ url: database.url, schema: 'shop', entities: [], clock: new SetClock('2026-11-20T12:00:00Z') });
  for (const round of [1, 2]) await db.read('select $1::int as by_read', [round]);
  await db.unit(1, async (em) => {
    await sql(em, 'select 2 as by_sql');
    await em.execute('select 3 as by_entity_manager');
  });
  await db.close();
  const client = await openClient(database.url);
  await oneAtATime(client)({ text: 'select 4 as by_asking' });
  await client.query('select 5 as by_client');
  await client.end();

  const here = expect.stringMatching(/record-statements\.test\.ts:\d+$/);
  for (const way of ['by_read', 'by_sql', 'by_asking', 'by_client']) expect(of(way)).toEqual([expect.objectContaining({ at: here })]);
  expect(of('by_entity_manager')).toHaveLength(1);
  expect(of('create table shop.recorded')).toEqual([expect.objectContaining({ application: 'store-shop-migrations' })]);
});
