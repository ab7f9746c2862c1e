/** One process per app on real PostgreSQL, Redis and Kafka, for tests of processes that fail. */
import { closeSession, newSession } from '@store/db';
import { until } from '@store/testbed/until';
import type pg from 'pg';
import { type Answer, type Request, send, succeed } from './http.ts';
import { type Login, logIn, makeStore } from './stores.ts';
import { openTestFleet, type TestFleet, type TestFleetOptions } from './test-fleet.ts';

export interface FleetWorld extends TestFleet {
  /** Base URLs below /api/v1. */
  api: string[];
  database: pg.Client;
  storeId: number;
  /** Token of the admin's session, and the admin's password. */
  token: string;
  password: string;
  newKey(key?: Record<string, unknown>): Promise<{ id: number; key: string }>;
  /** A webhook subscription of that key, and its signing secret. */
  subscribe(key: string, url: string, events: string[]): Promise<{ id: number; secret: string }>;
  /** At a gateway, the first one when `gateway` is absent. */
  call(method: string, path: string, request?: Request, gateway?: number): Promise<Answer>;
}

export interface FleetWorldOptions extends TestFleetOptions {
  /** How the store is made in the database of that URL; with this version's code when absent. */
  making?: ((url: string) => Promise<Login & { id: number }>) | undefined;
}

/** The processes, one store and the helpers of a test. */
export async function openFleetWorld({ making = makeStore, ...options }: FleetWorldOptions = {}): Promise<FleetWorld> {
  const test = await openTestFleet('faults', options);
  const database = newSession({ url: test.databaseUrl, applicationName: 'faults', queryTimeoutMs: 0 });
  const close = async () => {
    // A test may have frozen it.
    await closeSession(database).catch(() => undefined);
    await test.close();
  };
  try {
    // A test that stops PostgreSQL ends this connection too.
    database.on('error', () => undefined);
    await database.connect();
    const api = test.fleet.gateways.map((gateway) => `${gateway}/api/v1`);
    const { id: storeId, ...login } = await making(test.databaseUrl);
    const token = await logIn(api[0]!, login);
    return {
      ...{ ...test, api, database, storeId, token, password: login.password, close },
      newKey: (key) => newKey(api[0]!, token, key),
      subscribe: async (key, url, events) =>
        (await succeed('POST', `${api[0]}/webhook_subscriptions`, { key, body: { webhook_subscription: { url, events } } })).data,
      call: (method, path, request, gateway = 0) => send(method, `${api[gateway]}${path}`, request),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A key of the admin with that token. */
export async function newKey(api: string, token: string, key: Record<string, unknown> = {}): Promise<{ id: number; key: string }> {
  const scopes = ['products:read', 'products:write', 'inventory:read', 'inventory:write'];
  const body = { api_key: { name: 'Fault', scopes, rate_limit: 1000, ...key } };
  const { api_key, key: text } = await succeed('POST', `${api}/api_keys`, { token, body });
  return { id: api_key.id, key: text };
}

/** Whether a process that serves HTTP there says that it is ready. */
export const isReady = async (baseUrl: string): Promise<boolean> =>
  (await send('GET', `${baseUrl}/readyz`, { withinMs: 2_000 })).status === 200;

/** Waits while the minute is nearly over, so that a rate window does not end during a count. */
export async function untilMinuteIsYoung(database: pg.Client): Promise<void> {
  await until(async () => {
    const { rows } = await database.query('select extract(second from clock_timestamp()) as s');
    return Number(rows[0].s) < 45;
  }, 60_000);
}
