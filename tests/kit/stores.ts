/** A new store with its admin, as `npm run store -- create` makes it, and what its admin does first. */
import { randomBytes } from 'node:crypto';
import { type Clock, openDb } from '@store/db';
import { openPasswords } from '@store/gateway/passwords';
import { createStore, type NewStore } from '@store/gateway/stores';
import { entities } from '@store/gateway/tables';
import { newRing } from '../../tools/local/local-secrets.ts';
import { succeed } from './http.ts';

/** Passwords of tests are hashed at the lowest cost. */
const scryptCost = 1024;

/** New secrets of an installation. */
export const newSecrets = () => ({ KEY_PEPPERS: newRing(), SECRET_KEYS: newRing(), PASSWORD_SCRYPT_COST: String(scryptCost) });

export interface Login {
  email: string;
  password: string;
}

export interface CreatedStore extends Login {
  id: number;
  adminId: number;
}

export interface StoreOptions extends Partial<NewStore> {
  clock?: Clock;
  /** Of its password's hash; null: that of production. */
  cost?: number | null;
}

/** In the database of that URL. */
export async function makeStore(url: string, { clock, cost = scryptCost, ...wanted }: StoreOptions = {}): Promise<CreatedStore> {
  const [email, password] = [`admin-${randomBytes(4).toString('hex')}@store.example`, randomBytes(12).toString('hex')];
  const db = await openDb({ url, schema: 'gateway', entities, poolMax: 1, clock });
  const tools = { db, outbox: { db, wake: () => undefined }, passwords: openPasswords(cost ?? undefined) };
  const store = { name: 'Store 1', timeZone: 'UTC', adminEmail: email, adminPassword: password, ...wanted };
  const { storeId, adminId } = await createStore(tools, store);
  await db.close();
  return { id: storeId, adminId, email: store.adminEmail, password: store.adminPassword };
}

/** The token of a new session. `api`: the base URL below /api/v1. */
export async function logIn(api: string, { email, password }: Login): Promise<string> {
  return (await succeed('POST', `${api}/staff_sessions`, { body: { email, password } })).token;
}
