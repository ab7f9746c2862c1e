/** One process per app on real parts, for tests of what happens between processes and when they fail. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openDb } from '@store/db';
import { createTopics } from '@store/events';
import { openPasswords } from '@store/gateway/passwords';
import { createStore } from '@store/gateway/stores';
import { testDatabase } from '@store/testbed/database';
import { logNothing } from '@store/testbed/log';
import pg from 'pg';
import { type Fleet, startFleet } from '../local/fleet.ts';

export interface FleetWorld {
  fleet: Fleet;
  /** Base URLs below /api/v1. */
  api: string[];
  database: pg.Client;
  databaseUrl: string;
  storeId: number;
  /** Token of the admin's session. */
  token: string;
  /** Comma-separated host:port. */
  brokers: string;
  /** Before the names of this world's topics and groups: many worlds share one Kafka. */
  kafkaPrefix: string;
  /** Where each process's log is. */
  logDir: string;
  /** What a process has logged. */
  log(member: string): string;
  newKey(key?: Record<string, unknown>): Promise<{ id: number; key: string }>;
  close(): Promise<void>;
}

export interface FleetWorldOptions {
  gateways?: number;
  /** Processes of an app beside its first one. */
  besides?: Record<string, number>;
  env?: Record<string, string>;
  /** Starts a process again that ended by itself, as production does. */
  restart?: boolean;
}

const scryptCost = 1024;
const secret = () => `1:${randomBytes(32).toString('base64')}`;
const kafkaPartitions = 6;
/** Below the ports that the system hands out, and seldom those of another world that starts at the same time. */
const somePort = () => 10_000 + Math.floor(Math.random() * 20_000);

/** The real parts of the test run; PostgreSQL, Redis or Kafka of a test's own come in `env`. */
export async function openFleetWorld(options: FleetWorldOptions = {}): Promise<FleetWorld> {
  const copy = options.env?.DATABASE_URL ? undefined : await testDatabase('faults', async () => undefined);
  const logDir = mkdtempSync(path.join(os.tmpdir(), 'store-faults-'));
  const kafkaPrefix = `${randomBytes(4).toString('hex')}.`;
  const env = {
    DATABASE_URL: copy?.url ?? '',
    REDIS_URL: process.env.TEST_REDIS_URL,
    KAFKA_BROKERS: process.env.TEST_KAFKA_BROKERS ?? '',
    KAFKA_PREFIX: kafkaPrefix,
    KEY_PEPPERS: secret(),
    SECRET_KEYS: secret(),
    PASSWORD_SCRYPT_COST: String(scryptCost),
    GATEWAY_PORT: String(somePort()),
    LOG_LEVEL: 'warn',
    ...options.env,
  };
  const closes: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const end of closes.splice(0).reverse()) await end();
  };
  closes.push(async () => {
    await copy?.close();
    if (process.env.KEEP_LOGS) console.error(`The logs are in ${logDir}`);
    else rmSync(logDir, { recursive: true });
  });
  try {
    const brokers = env.KAFKA_BROKERS;
    await createTopics({ brokers: brokers.split(','), prefix: kafkaPrefix, partitions: kafkaPartitions, replicas: 1, log: logNothing });
    const { gateways, besides, restart } = options;
    const fleet = await startFleet({ env, logDir, gateways, besides, restart, firstPort: somePort() });
    closes.push(() => fleet.stop());
    const url = env.DATABASE_URL;
    const database = new pg.Client({ connectionString: url });
    // A test that ends PostgreSQL ends this connection too.
    database.on('error', () => undefined);
    await database.connect();
    closes.push(() => database.end().catch(() => undefined));
    const api = fleet.gateways.map((gateway) => `${gateway}/api/v1`);
    const { storeId, token } = await makeStore(url, api[0]!);
    return {
      fleet,
      api,
      database,
      databaseUrl: url,
      storeId,
      token,
      brokers,
      kafkaPrefix,
      logDir,
      log: (member) => readFileSync(path.join(logDir, `${member}.log`), 'utf8'),
      newKey: (key = {}) => newKey(api[0]!, token, key),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function newKey(api: string, token: string, key: Record<string, unknown>): Promise<{ id: number; key: string }> {
  const scopes = ['products:read', 'products:write', 'inventory:read', 'inventory:write'];
  const body = JSON.stringify({ api_key: { name: 'Fault', scopes, rate_limit: 1000, ...key } });
  const made = await ask(`${api}/api_keys`, { method: 'POST', body, token });
  if (made.status !== 201) throw new Error(`the key was refused: ${JSON.stringify(made.body)}`);
  const { api_key: apiKey, key: text } = made.body as { api_key: { id: number }; key: string };
  return { id: apiKey.id, key: text };
}

async function makeStore(url: string, api: string): Promise<{ storeId: number; token: string }> {
  const email = `admin-${randomBytes(4).toString('hex')}@faults.example`;
  const password = randomBytes(12).toString('hex');
  const db = await openDb({ url, schema: 'gateway', entities: [], poolMax: 1 });
  const tools = { db, outbox: { db, wake: () => undefined }, passwords: openPasswords(scryptCost) };
  const { storeId } = await createStore(tools, { name: 'Faults', timeZone: 'UTC', adminEmail: email, adminPassword: password });
  await db.close();
  const login = await ask(`${api}/staff_sessions`, { method: 'POST', body: JSON.stringify({ email, password }) });
  if (login.status !== 201) throw new Error(`the login was refused: ${JSON.stringify(login.body)}`);
  return { storeId, token: (login.body as { token: string }).token };
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

/** Polls until `holds` does; the longest wait is a bound of the promise under test. */
export async function until(holds: () => Promise<boolean> | boolean, withinMs: number): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`not true within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A window must not end in the middle of a count. */
export async function untilMinuteIsYoung(database: pg.Client): Promise<void> {
  await until(async () => {
    const { rows } = await database.query('select extract(second from clock_timestamp()) as s');
    return Number(rows[0].s) < 45;
  }, 20_000);
}
