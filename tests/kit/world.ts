/** The whole product on a database of its own, called over HTTP as an integrator would. */

import { randomUUID } from 'node:crypto';
import { scopes as everyScope } from '@store/contract';
import { openDb } from '@store/db';
import { notifyAndWait } from '@store/gateway/notices';
import { type StoreChange, setStore } from '@store/gateway/set-store';
import { entities } from '@store/gateway/tables';
import { texts } from '@store/problem';
import { openClient } from '@store/testbed/with-client';
import type pg from 'pg';
import { type Answer, type Request, send } from './http.ts';
import type { Layout } from './layout.ts';
import { openOneProcess } from './one-process.ts';
import { openProcesses } from './processes.ts';
import { settled } from './settled.ts';
import type { TestClock } from './shared-clock.ts';
import { type Login, logIn, makeStore, newSecrets } from './stores.ts';

export type { Answer, Request };

export interface Store extends Login {
  id: number;
  /** Token of the admin's session. */
  token: string;
}

export interface World {
  baseUrl: string;
  clock: TestClock;
  database: pg.Client;
  databaseUrl: string;
  /** The demo-like store that every world has. */
  store: Store;
  call(method: string, path: string, request?: Request): Promise<Answer>;
  /** By the admin of a store, that of the world when it is absent; the body of the answer, which must be a success. */
  staff(method: string, path: string, body?: unknown, store?: Pick<Store, 'token'>): Promise<Answer['body']>;
  /** Creates a record as `staff` does; returns it. `fields`: its wrapper and values. */
  create(path: string, fields: Record<string, unknown>, store?: Pick<Store, 'token'>): Promise<Answer['body']>;
  newStore(features?: string[]): Promise<Store>;
  /** A key with every scope and the highest limit, unless `key` says otherwise. */
  newKey(store: Store, key?: Record<string, unknown>): Promise<string>;
  /** A new staff user of the store, logged in: its token. */
  newStaff(role: string, user?: Record<string, unknown>, store?: Store): Promise<string>;
  /** Changes a store's plan as `npm run store -- set` does. */
  setStore(store: Store, change: StoreChange): Promise<void>;
  /** Waits until all committed events are published, every service has handled them, and no queue has work that is due. */
  settled(): Promise<void>;
  /** All log lines so far; only of a world that was opened with `purgeOldEvents`. */
  logged(): Record<string, unknown>[];
  close(): Promise<void>;
}

const noticeWithinMs = 20_000;

/** One process for all, or one per app with Redis and Kafka: JOURNEYS_LAYOUT=processes. */
const openLayout = process.env.JOURNEYS_LAYOUT === 'processes' ? openProcesses : openOneProcess;

export async function openWorld(env: Record<string, string> = {}, { purgeOldEvents = false } = {}): Promise<World> {
  const layout = await openLayout({ env: { ...newSecrets(), ...env }, startsAt: '2026-11-21T09:30:00.000Z', purgeOldEvents });
  const { baseUrl, clock, databaseUrl } = layout;
  const database = await openClient(databaseUrl);
  const world: World = {
    ...{ baseUrl, clock, database, databaseUrl, store: { id: 0, token: '', email: '', password: '' } },
    call: async (method, path, request) => {
      const answer = await send(method, `${baseUrl}/api/v1${path}`, request);
      if (answer.status === 0) throw new Error(`${method} ${path}: ${answer.lost}`);
      return answer;
    },
    staff: async (method, path, body, { token } = world.store) => {
      const answer = await world.call(method, path, { token, body });
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      return answer.body;
    },
    create: async (path, fields, store) => (await world.staff('POST', path, fields, store))[Object.keys(fields)[0]!],
    newStore: async (features) => {
      const created = await makeStore(databaseUrl, { clock, timeZone: 'Europe/London', currency: '£', adminName: 'Ada Admin', features });
      return { ...created, token: await logIn(`${baseUrl}/api/v1`, created) };
    },
    newKey: async ({ token, password }, key = {}) => {
      const body = { api_key: { name: 'ERP', scopes: everyScope, rate_limit: 1000, ...key } };
      const answer = await world.call('POST', '/api_keys', { token, body });
      if (answer.body?.error !== texts.passwordLately) return checked(answer).body.key;
      await world.call('POST', '/staff_sessions/confirm', { token, body: { password } });
      return checked(await world.call('POST', '/api_keys', { token, body })).body.key;
    },
    newStaff: async (role, user = {}, store) => {
      const password = 'correct horse battery';
      const staff_user = { name: 'Sam Staff', email: `${randomUUID()}@staff.example`, password, role, ...user };
      const { email } = await world.create('/staff_users', { staff_user }, store);
      return logIn(`${baseUrl}/api/v1`, { email, password });
    },
    setStore: (store, change) => changeStore(layout, store, change),
    settled: () => settled(database, layout),
    logged: () => layout.logged(),
    close: async () => {
      await database.end();
      await layout.close();
    },
  };
  world.store = await world.newStore();
  return world;
}

function checked(answer: Answer): Answer {
  if (answer.status !== 201) throw new Error(`the key was refused: ${answer.text}`);
  return answer;
}

async function changeStore({ databaseUrl: url, clock }: Layout, store: Store, change: StoreChange): Promise<void> {
  const db = await openDb({ url, schema: 'gateway', entities, poolMax: 1, clock });
  await setStore({ db, outbox: { db, wake: () => undefined } }, store.id, change);
  await db.close();
  if (!(await notifyAndWait(url, { storeId: store.id }, noticeWithinMs))) throw new Error('a gateway did not take the change');
}
