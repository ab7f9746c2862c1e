import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { statements } from '@store/db';
import { type TestDatabase, testDatabase } from '@store/testbed';
import { openClient } from '@store/testbed/with-client';
import { migrateCommand } from './migrate-command.ts';

const first = { '1-first': statements('create table shop.one (id int)') };

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('migrate_command', async () => undefined);
});
afterAll(() => database.close());

test('brings the schema up to date and ends, also when repeated', async () => {
  const said = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  const run = () => migrateCommand('shop', first, [], { DATABASE_URL: database.url });
  expect([await run(), await run()]).toEqual([true, true]);
  expect(said).toHaveBeenLastCalledWith('The schema shop is up to date: 1-first.');
  const client = await openClient(database.url);
  expect((await client.query('select from shop.one')).rowCount).toBe(0);
  await client.end();
});

test('a schema that a later version migrated is left as it is, and said to be ahead', async () => {
  const said = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  const later = { ...first, '2-first': statements('create table shop.two (id int)') };
  for (const migrations of [later, first]) await migrateCommand('shop', migrations, [], { DATABASE_URL: database.url });
  expect(said).toHaveBeenCalledWith('The schema shop is ahead of this version, which does not know 2-first.');
});

test('without a database says what is missing', async () => {
  await expect(migrateCommand('shop', {}, [], {})).rejects.toThrow('Name PostgreSQL by DATABASE_URL.');
});
