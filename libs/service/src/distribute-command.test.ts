import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@store/testbed';
import { openClient } from '@store/testbed/with-client';
import { distributeCommand } from './distribute-command.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('distribute_command', async () => undefined);
});
afterAll(() => database.close());

const run = (args: string[] = []) => distributeCommand('shop', args, { DATABASE_URL: database.url });

async function isCitus(): Promise<boolean> {
  const client = await openClient(database.url);
  const { rowCount } = await client.query(`select from pg_extension where extname = 'citus'`);
  await client.end();
  return rowCount === 1;
}

test('without Citus, or without the schema, it changes nothing and says so', async () => {
  const sentence = (await isCitus())
    ? 'There is no schema shop in this database yet: run migrate first.'
    : 'This PostgreSQL is no Citus: its database lacks the extension citus.';
  await expect(run()).rejects.toThrow(sentence);
});

test('--help says what it does', async () => {
  const said = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  expect(await run(['--help'])).toBe(true);
  expect(said.mock.calls.flat().join()).toMatch(/^distribute: gives the schema shop a machine of its own/);
});
