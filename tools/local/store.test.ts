import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { migrations } from '@store/gateway/migrations';
import { listenForChanges } from '@store/gateway/notices';
import { migratedSchema, type TestDatabase, testDatabase } from '@store/testbed';
import { temporaryFolder } from '@store/testbed/temporary-folder';
import { openClient } from '@store/testbed/with-client';
import type pg from 'pg';
import { runScript } from './run-script.testing.ts';

const folder = temporaryFolder();
let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await migratedSchema({ app: 'gateway', migrations });
  client = await openClient(database.url);
});
afterAll(async () => {
  await client.end();
  await database.close();
});

const run = (args: string[], env: Record<string, string> = { DATABASE_URL: database.url }) =>
  runScript(['tools/local/app-command.ts', 'store', ...args], { PASSWORD_SCRYPT_COST: '16', ...env });
const create = (more: string[] = [], email = 'admin@example.com') => [
  'create',
  '--name',
  'Corner',
  '--timezone',
  'Europe/London',
  '--admin-email',
  email,
  '--admin-password',
  'correct horse battery',
  ...more,
];
const storeRow = async (id: number) => (await client.query('select * from gateway.stores where id = $1', [id])).rows[0];

describe('npm run store -- create (D154)', () => {
  test('prints the ids as JSON; the store is active with all features but two', async () => {
    const { code, out } = await run(create(['--json', '--currency', '£']));
    expect(code).toBe(0);
    expect(out).toMatch(/^\{"store_id": \d+, "admin_id": \d+\}\n$/);
    expect(await storeRow(JSON.parse(out).store_id)).toMatchObject({
      name: 'Corner',
      time_zone: 'Europe/London',
      currency: '£',
      pos_subscription: 'active',
      onboarding: 'done',
      features: ['developer_api', 'customers', 'loyalty', 'label_printing', 'additional_tax', 'split_tax'],
    });
  });

  test('takes a list of features', async () => {
    const { out } = await run(create(['--json', '--features', 'customers, cannabis'], 'second@example.com'));
    expect((await storeRow(JSON.parse(out).store_id)).features).toEqual(['customers', 'cannabis']);
  });

  test.each([
    ['an unknown time zone', ['--timezone', 'Mars/Olympus'], /^Time zone Mars\/Olympus is not known/],
    ['an unknown feature', ['--features', 'teleport'], /^Feature teleport is not known; the features are developer_api/],
    ['a short password', ['--admin-password', 'short'], /^Password is too short \(minimum is 12 characters\)\.\n$/],
    ['a bad address', ['--admin-email', 'nobody'], /^Email is invalid\.\n$/],
    ['an address that is taken', ['--admin-email', 'ADMIN@example.com'], /^Email has already been taken\.\n$/],
    ['an unknown option', ['--colour', 'red'], /unknown option '--colour'/],
  ])('%s is one clear sentence and makes nothing', async (_title, wrong, message) => {
    const { rows } = await client.query('select count(*)::int as stores from gateway.stores');
    const { code, error, out } = await run(create(wrong, 'third@example.com'));
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toMatch(message);
    expect(error).not.toMatch(/\n\s+at /);
    expect((await client.query('select count(*)::int as stores from gateway.stores')).rows).toEqual(rows);
  });

  test('a missing option is named', async () => {
    const { code, error } = await run(['create', '--name', 'x']);
    expect(code).toBe(1);
    expect(error).toContain("required option '--timezone <name>' not specified");
  });
});

describe('npm run store -- set', () => {
  test('changes the plan, applied by every gateway before the command returns', async () => {
    const { out } = await run(create(['--json'], 'set@example.com'));
    const { store_id } = JSON.parse(out);
    const heard: number[] = [];
    let connected: () => void;
    const ready = new Promise<void>((resolve) => {
      connected = resolve;
    });
    const listener = {
      onKeys: () => undefined,
      onStore: (id: number) => void heard.push(id),
      onConnected: () => connected(),
      onLost: () => undefined,
    };
    const listening = listenForChanges(database.url, listener, { warn: () => undefined });
    await ready;
    const changes = ['pos_subscription=inactive', 'onboarding=pending', 'features=loyalty,customers'];
    expect(await run(['set', String(store_id), ...changes])).toMatchObject({ code: 0, error: '', out: `Store ${store_id} is changed.\n` });
    expect(heard).toEqual([store_id]);
    await listening.stop();
    expect(await storeRow(store_id)).toMatchObject({
      pos_subscription: 'inactive',
      onboarding: 'pending',
      features: ['loyalty', 'customers'],
    });
  });

  test.each([
    [['999', 'onboarding=done'], 'Store not found.'],
    [['x', 'onboarding=done'], 'x is no store id.'],
    [['1', 'onboarding=maybe'], 'onboarding must be done or pending, not maybe.'],
    [['1', 'pos_subscription'], 'pos_subscription is no change: it must be pos_subscription=…, onboarding=… or features=….'],
    [['1', 'name=x'], 'name=x is no change: it must be pos_subscription=…, onboarding=… or features=….'],
  ])('%j is refused with one sentence', async (args, message) => {
    expect(await run(['set', ...args])).toEqual({ code: 1, out: '', error: `${message}\n` });
  });
});

describe('the database', () => {
  test('a database that does not answer is one clear sentence', async () => {
    const { code, error } = await run(create(), { DATABASE_URL: 'postgres://store:secret@127.0.0.1:1/store' });
    expect(code).toBe(1);
    expect(error).toMatch(
      /^The database at 127\.0\.0\.1:1 cannot be reached \(.+\): run npm start in another terminal, or set DATABASE_URL\.\n$/,
    );
    expect(error).not.toContain('secret');
  });

  test('without DATABASE_URL and without a running npm start it says what to do', async () => {
    const { code, error } = await run(create(), { STORE_DATA_DIR: folder });
    expect(code).toBe(1);
    expect(error).toBe('No database is known: run npm start in another terminal, or set DATABASE_URL.\n');
  });

  test('the database of a running npm start is found, and one without tables is migrated', async () => {
    const empty = await testDatabase('empty', async () => undefined);
    writeFileSync(path.join(folder, 'postgres.json'), JSON.stringify({ url: empty.url }));
    expect((await run(create(['--json']), { STORE_DATA_DIR: folder })).out).toBe('{"store_id": 1, "admin_id": 1}\n');
    await empty.close();
  });

  test('--help lists the commands', async () => {
    const { code, out } = await run(['--help']);
    expect(code).toBe(0);
    for (const word of ['create', 'set']) expect(out).toContain(word);
  });
});
