/** The whole product on a database of its own, called over HTTP as an integrator would; for journeys only. */
import { randomBytes } from 'node:crypto';
import { appNames, type Endpoint, endpoints, scopes as everyScope } from '@store/contract';
import { type Clock, openDb } from '@store/db';
import { notifyAndWait } from '@store/gateway/notices';
import { openPasswords } from '@store/gateway/passwords';
import { type StoreChange, setStore } from '@store/gateway/set-store';
import { createStore } from '@store/gateway/stores';
import { entities } from '@store/gateway/tables';
import { texts } from '@store/problem';
import pg from 'pg';
import { openOneProcess } from './one-process.ts';
import { openProcesses } from './processes.ts';
import { settled } from './settled.ts';
import type { TestClock } from './shared-clock.ts';

export interface Answer {
  status: number;
  /** The parsed JSON body; undefined when there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a journey reads bodies as a client does, without types.
  body: any;
  text: string;
  headers: Headers;
}

export interface Request {
  key?: string;
  /** A staff session's token. */
  token?: string;
  body?: unknown;
  /** Sent unchanged, instead of `body`. */
  raw?: string | Buffer;
  headers?: Record<string, string>;
}

export interface Store {
  id: number;
  /** Token of the admin's session. */
  token: string;
  email: string;
  password: string;
}

export interface World {
  baseUrl: string;
  clock: TestClock;
  database: pg.Client;
  databaseUrl: string;
  /** The demo-like store that every journey has. */
  store: Store;
  call(method: string, path: string, request?: Request): Promise<Answer>;
  newStore(features?: string[]): Promise<Store>;
  /** A key with every scope and the highest limit, unless `key` says otherwise. */
  newKey(store: Store, key?: Record<string, unknown>): Promise<string>;
  /** Changes a store's plan as `npm run store -- set` does. */
  setStore(store: Store, change: StoreChange): Promise<void>;
  /** Waits until all committed events are published, every service has handled them, and no queue has work that is due. */
  settled(): Promise<void>;
  /** All log lines so far; only of a world that was opened with `purgeOldEvents`. */
  logged(): Record<string, unknown>[];
  close(): Promise<void>;
}

const scryptCost = 1024;
const secret = () => `1:${randomBytes(32).toString('base64')}`;
const noticeWithinMs = 20_000;

/** Endpoints of the apps that are there. */
export function servedEndpoints(): Endpoint[] {
  return endpoints().filter(({ app }) => (appNames as string[]).includes(app));
}

/** One process for all, or one per app with Redis and Kafka: JOURNEYS_LAYOUT=processes. */
const openLayout = process.env.JOURNEYS_LAYOUT === 'processes' ? openProcesses : openOneProcess;

export async function openWorld(env: Record<string, string> = {}, { purgeOldEvents = false } = {}): Promise<World> {
  const secrets = { KEY_PEPPERS: secret(), SECRET_KEYS: secret(), PASSWORD_SCRYPT_COST: String(scryptCost) };
  const layout = await openLayout({ env: { ...secrets, ...env }, startsAt: '2026-11-21T09:30:00.000Z', purgeOldEvents });
  const { baseUrl, clock, databaseUrl: url } = layout;
  const database = new pg.Client({ connectionString: url });
  await database.connect();
  const call: World['call'] = (method, path, request = {}) => send(`${baseUrl}/api/v1${path}`, method, request);
  const newStore = (features?: string[]) => makeStore(url, clock, call, features);
  return {
    baseUrl,
    clock,
    database,
    databaseUrl: url,
    store: await newStore(),
    call,
    newStore,
    newKey: async (store, key = {}) => {
      const body = { api_key: { name: 'ERP', scopes: everyScope, rate_limit: 1000, ...key } };
      const create = () => call('POST', '/api_keys', { token: store.token, body });
      let answer = await create();
      if (answer.body?.error === texts.passwordLately) {
        await call('POST', '/staff_sessions/confirm', { token: store.token, body: { password: store.password } });
        answer = await create();
      }
      if (answer.status !== 201) throw new Error(`the key was refused: ${answer.text}`);
      return answer.body.key;
    },
    setStore: (store, change) => changeStore(url, clock, store, change),
    settled: () => settled(database, layout),
    logged: () => layout.logged(),
    close: async () => {
      await database.end();
      await layout.close();
    },
  };
}

async function send(url: string, method: string, { key, token, body, raw, headers }: Request): Promise<Answer> {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(url, {
    method,
    headers: {
      ...(key !== undefined && { 'X-API-Key': key }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(sent !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: sent,
    redirect: 'manual',
  });
  const text = await response.text();
  return { status: response.status, text, body: text === '' ? undefined : JSON.parse(text), headers: response.headers };
}

let stores = 0;

async function makeStore(url: string, clock: Clock, call: World['call'], features?: string[]): Promise<Store> {
  const email = `admin${++stores}@store.example`;
  const password = randomBytes(12).toString('hex');
  const db = await openDb({ url, schema: 'gateway', entities, poolMax: 1, clock });
  const tools = { db, outbox: { db, wake: () => undefined }, passwords: openPasswords(scryptCost) };
  const { storeId } = await createStore(tools, {
    name: `Store ${stores}`,
    timeZone: 'Europe/London',
    currency: '£',
    adminName: 'Ada Admin',
    adminEmail: email,
    adminPassword: password,
    features,
  });
  await db.close();
  const login = await call('POST', '/staff_sessions', { body: { email, password } });
  if (login.status !== 201) throw new Error(`the login was refused: ${login.text}`);
  return { id: storeId, token: login.body.token, email, password };
}

async function changeStore(url: string, clock: Clock, store: Store, change: StoreChange): Promise<void> {
  const db = await openDb({ url, schema: 'gateway', entities, poolMax: 1, clock });
  await setStore({ db, outbox: { db, wake: () => undefined } }, store.id, change);
  await db.close();
  if (!(await notifyAndWait(url, { storeId: store.id }, noticeWithinMs))) throw new Error('a gateway did not take the change');
}
