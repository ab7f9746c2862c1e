import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { appNames } from '@store/contract';
import { migrate, statements } from '@store/db';
import { capturingLog, type TestDatabase, testDatabase } from '@store/testbed';
import { isMigrated, relayCommand } from './relay-command.ts';

test('an app without the audit trail refuses to publish the outboxes of all', async () => {
  await expect(relayCommand('catalog', ['--all'])).rejects.toThrow(
    'relay --all is a command of the gateway: its relay also writes the audit trail.',
  );
});

test('a relay of all that lacks the address of a schema does not start, and names it', async () => {
  const before = { ...process.env };
  const addresses = appNames.slice(1).map((app) => [`${app.toUpperCase()}_DATABASE_URL`, 'postgres://x@127.0.0.1:1/x']);
  process.env = { ...Object.fromEntries(addresses), KAFKA_BROKERS: '127.0.0.1:1' };
  try {
    const first = appNames[0]!.toUpperCase();
    await expect(relayCommand('gateway', ['--all'])).rejects.toThrow(`Name PostgreSQL by DATABASE_URL, or by ${first}_DATABASE_URL.`);
  } finally {
    process.env = before;
  }
});

const outbox = { '1-outbox': statements('create table shop.outbox (id int)') };
const both = { ...outbox, '2-column': statements('alter table shop.outbox add column name text') };

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('relay_command', async () => undefined);
});
afterAll(() => database.close());

test('a relay with a consumer waits for all migrations, another one for the outbox', async () => {
  const { log } = capturingLog();
  const { url } = database;
  const isReady = (lastMigration?: string) => isMigrated({ url, schema: 'shop', lastMigration }, log);
  expect([await isReady(), await isReady('2-column')]).toEqual([false, false]);
  await migrate({ url, schema: 'shop', migrations: outbox });
  expect([await isReady(), await isReady('2-column')]).toEqual([true, false]);
  await migrate({ url, schema: 'shop', migrations: both });
  expect([await isReady(), await isReady('2-column')]).toEqual([true, true]);
});
