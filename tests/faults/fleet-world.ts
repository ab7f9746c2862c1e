/** One process per app on real PostgreSQL, Redis and Kafka, for tests of processes that fail. */
import { randomBytes } from 'node:crypto';
import { closeSession, newSession, openDb } from '@store/db';
import { openPasswords } from '@store/gateway/passwords';
import { createStore } from '@store/gateway/stores';
import { entities } from '@store/gateway/tables';
import type pg from 'pg';
import { openTestFleet, scryptCost, type TestFleet, type TestFleetOptions } from './test-fleet.ts';

export interface FleetWorld extends TestFleet {
  /** Base URLs below /api/v1. */
  api: string[];
  database: pg.Client;
  storeId: number;
  /** Token of the admin's session, and the admin's password. */
  token: string;
  password: string;
  newKey(key?: Record<string, unknown>): Promise<{ id: number; key: string }>;
}

interface FleetWorldOptions extends TestFleetOptions {
  /** How the store is made in the database of that URL; with this version's code when absent. */
  making?: typeof makeIt;
}

/** The processes, one store and the helpers of a test. */
export async function openFleetWorld({ making, ...options }: FleetWorldOptions = {}): Promise<FleetWorld> {
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
    const admin = await makeStore(test.databaseUrl, api[0]!, making);
    return { ...test, api, database, ...admin, newKey: (key = {}) => newKey(api[0]!, admin.token, key), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A key of the admin with that token. */
export async function newKey(api: string, token: string, key: Record<string, unknown>): Promise<{ id: number; key: string }> {
  const scopes = ['products:read', 'products:write', 'inventory:read', 'inventory:write'];
  const body = JSON.stringify({ api_key: { name: 'Fault', scopes, rate_limit: 1000, ...key } });
  const made = await ask(`${api}/api_keys`, { method: 'POST', body, token });
  if (made.status !== 201) throw new Error(`the key was refused: ${JSON.stringify(made.body)}`);
  const { api_key: apiKey, key: text } = made.body as { api_key: { id: number }; key: string };
  return { id: apiKey.id, key: text };
}

/** A store and its admin, signed in. */
export async function makeStore(url: string, api: string, making = makeIt): Promise<{ storeId: number; token: string; password: string }> {
  const email = `admin-${randomBytes(4).toString('hex')}@faults.example`;
  const password = randomBytes(12).toString('hex');
  const storeId = await making(url, email, password);
  const login = await ask(`${api}/staff_sessions`, { method: 'POST', body: JSON.stringify({ email, password }) });
  if (login.status !== 201) throw new Error(`the login was refused: ${JSON.stringify(login.body)}`);
  return { storeId, token: (login.body as { token: string }).token, password };
}

async function makeIt(url: string, adminEmail: string, adminPassword: string): Promise<number> {
  const db = await openDb({ url, schema: 'gateway', entities, poolMax: 1 });
  const tools = { db, outbox: { db, wake: () => undefined }, passwords: openPasswords(scryptCost) };
  const { storeId } = await createStore(tools, { name: 'Faults', timeZone: 'UTC', adminEmail, adminPassword });
  await db.close();
  return storeId;
}

export interface Asked {
  status: number;
  body: unknown;
  ms: number;
}

export interface Asking {
  method?: string;
  key?: string;
  token?: string;
  body?: string;
  idempotencyKey?: string;
}

/** One request; status 0 when the connection itself failed. */
export async function ask(url: string, { method = 'GET', key, token, body, idempotencyKey }: Asking = {}): Promise<Asked> {
  const startedAt = performance.now();
  try {
    const response = await fetch(url, {
      method,
      body,
      headers: {
        ...(key && { 'X-API-Key': key }),
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
    });
    return { status: response.status, body: await response.json(), ms: performance.now() - startedAt };
  } catch (error) {
    if ((error as Error).name !== 'TypeError') throw error;
    return { status: 0, body: undefined, ms: performance.now() - startedAt };
  }
}

/** Polls until `holds` does; the timeout is a bound of the promise under test. */
export async function until(holds: () => Promise<boolean> | boolean, withinMs: number): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`not true within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Polls until `holds` does; returns when the last look that found it otherwise began (performance.now()), -Infinity when none did. Until
 * then it did not hold; how long a look takes, and so when the next one began, says nothing of what is looked at.
 */
export async function lastFailure(holds: () => Promise<boolean>, withinMs: number): Promise<number> {
  let failedAtMs = Number.NEGATIVE_INFINITY;
  await until(async () => {
    const beganAtMs = performance.now();
    const does = await holds();
    if (!does) failedAtMs = beganAtMs;
    return does;
  }, withinMs);
  return failedAtMs;
}

/** Waits while the minute is nearly over, so that a rate window does not end during a count. */
export async function untilMinuteIsYoung(database: pg.Client): Promise<void> {
  await until(async () => {
    const { rows } = await database.query('select extract(second from clock_timestamp()) as s');
    return Number(rows[0].s) < 45;
  }, 60_000);
}
