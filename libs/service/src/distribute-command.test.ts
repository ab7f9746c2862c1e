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
  await expect(run(['--by-store'])).rejects.toThrow(sentence);
});

test('--by-store is refused for an app that reads rows before their store is known', async () => {
  const gateway = distributeCommand('gateway', ['--by-store'], { DATABASE_URL: database.url });
  await expect(gateway).rejects.toThrow('it lies on one worker: run distribute without --by-store.');
});

test.each(['0', '1001', 'many'])('--shards %s is refused', async (shards) => {
  await expect(run(['--by-store', '--shards', shards])).rejects.toThrow('--shards must be a number from 1 to 1000.');
});

test('--shards without --by-store is refused', async () => {
  await expect(run(['--shards', '64'])).rejects.toThrow('--shards goes with --by-store: a whole schema has no parts.');
});

test('--help says what it does', async () => {
  const said = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  expect(await run(['--help'])).toBe(true);
  expect(said.mock.calls.flat().join()).toMatch(/^distribute: gives the schema shop a machine of its own/);
});
