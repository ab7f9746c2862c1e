/** Outbox rows that a killed process left, and the start after it. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDb } from '@store/db';
import { emit } from '@store/events';
import { logNothing, type TestDatabase, testCaller, testDatabase } from '@store/testbed';
import { temporaryFolder } from '@store/testbed/temporary-folder';
import { openClient } from '@store/testbed/with-client';
import type pg from 'pg';
import { newSecrets } from '../../tests/kit/stores.ts';
import { demoStore } from '../demo/demo-store.ts';
import { startServices } from './services.ts';

const settings = { ...newSecrets(), GATEWAY_PORT: '0' };
const rows = 20;
const dir = temporaryFolder();
let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await testDatabase('services', async () => undefined);
  client = await openClient(database.url);
});
afterAll(async () => {
  await client.end();
  await database.close();
});

const start = (env: NodeJS.ProcessEnv = {}) => startServices({ DATABASE_URL: database.url, ...settings, ...env }, { log: logNothing });
const count = async (table: string) => Number((await client.query(`select count(*) from ${table}`)).rows[0].count);

/** Leaves rows as a process does that is killed between its commits and its relay. */
async function leaveRows(): Promise<void> {
  const db = await openDb({ url: database.url, schema: 'catalog', entities: [], poolMax: 1 });
  const change = (id: number) => ({
    name: 'product.created',
    aggregate: id,
    public: { resourceType: 'Product', resourceId: id, data: '{}' },
    audit: { action: 'product.create', resource_type: 'Product', resource_id: id, before: null, after: {} },
  });
  const changes = Array.from({ length: rows }, (_, n) => change(n + 1));
  await db.unit(1, (em) => emit(em, { db, wake: () => undefined }, testCaller(), changes));
  await db.close();
}

test('rows that wait in an outbox before the start reach audit trail and webhooks', async () => {
  await (await start()).stop();
  await leaveRows();
  const services = await start();
  while ((await count('catalog.outbox')) > 0);
  await services.stop();
  expect([await count('gateway.audit_entries'), await count('webhooks.events')]).toEqual([rows, rows]);
});

test('base_url of demo.json is where the API and its documentation are served', async () => {
  process.env.STORE_DATA_DIR = dir;
  // Marked as loaded.
  writeFileSync(path.join(dir, 'demo-loaded.json'), '{}');
  const services = await start({ GATEWAY_HOST: '0.0.0.0' });
  try {
    await demoStore({ dir, url: database.url, baseUrl: services.baseUrl, adminServed: false });
    const { base_url } = JSON.parse(readFileSync(path.join(dir, 'demo.json'), 'utf8')) as { base_url: string };
    expect(base_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const statuses = ['/api/v1/openapi.json', '/docs'].map(async (at) => (await fetch(`${base_url}${at}`)).status);
    expect(await Promise.all(statuses)).toEqual([200, 200]);
  } finally {
    await services.stop();
  }
});

test('a start that fails half-way ends, and keeps the rows that wait', async () => {
  await leaveRows();
  await expect(start({ GATEWAY_PORT: 'none' })).rejects.toThrow('GATEWAY_PORT must be a whole number from 0 to 65535 (port');
  expect(await count('catalog.outbox')).toBe(rows);
});
