/** The whole product on a new database, with a store, keys and sessions for the random requests. */
import { randomBytes } from 'node:crypto';
import { devNull } from 'node:os';
import { scopes } from '@store/contract';
import { openDb } from '@store/db';
import { openPasswords } from '@store/gateway/passwords';
import { createStore } from '@store/gateway/stores';
import { entities } from '@store/gateway/tables';
import { openLog } from '@store/service';
import pg from 'pg';
import { startServices } from '../../tools/local/services.ts';
import { fill } from './fill.ts';
import { post } from './post.ts';

export interface Product {
  baseUrl: string;
  /** Keys with every scope and the highest limit, used in turn: a single one would soon get 429. */
  keys: string[];
  /** Token of an admin's session. */
  session: string;
  /** Sessions that the logout endpoint may end. */
  spareSessions: string[];
  close(): Promise<void>;
}

const keyCount = 20;
const spareSessionCount = 100;
const scryptCost = 1024;
/** The caller's own rows get ids that random requests do not reach, so that it cannot revoke its key or disable itself. */
const ownRowsFrom = 900_000_000;
const owned = ['gateway.staff_users', 'gateway.api_keys', 'gateway.staff_sessions'];
const secret = () => `1:${randomBytes(32).toString('base64')}`;

/** `url`: an empty database. */
export async function startProduct(url: string): Promise<Product> {
  const running = await startServices(
    { DATABASE_URL: url, GATEWAY_PORT: '0', KEY_PEPPERS: secret(), SECRET_KEYS: secret(), PASSWORD_SCRYPT_COST: String(scryptCost) },
    { log: openLog('fuzz', 'error', process.env.FUZZ_LOG ?? devNull) },
  );
  try {
    const baseUrl = `http://${running.address}`;
    await countFrom(url, ownRowsFrom);
    const login = await makeStore(url);
    const session = await logIn(baseUrl, login);
    const keys = await times(keyCount, () => makeKey(baseUrl, session));
    const spareSessions = await times(spareSessionCount, () => logIn(baseUrl, login));
    await countFrom(url, 1);
    await fill(baseUrl, session);
    return { baseUrl, keys, session, spareSessions, close: () => running.stop() };
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/** The next id of the tables that hold the caller's own rows. */
async function countFrom(url: string, id: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const table of owned) await client.query(`select setval(pg_get_serial_sequence($1, 'id'), $2, false)`, [table, id]);
  await client.end();
}

interface Login {
  email: string;
  password: string;
}

async function makeStore(url: string): Promise<Login> {
  const login = { email: 'admin@fuzz.example', password: randomBytes(12).toString('hex') };
  const db = await openDb({ url, schema: 'gateway', entities, poolMax: 1 });
  const tools = { db, outbox: { db, wake: () => undefined }, passwords: openPasswords(scryptCost) };
  await createStore(tools, {
    name: 'Fuzz',
    timeZone: 'America/Toronto',
    adminEmail: login.email,
    adminPassword: login.password,
    features: ['developer_api', 'customers', 'loyalty', 'label_printing', 'additional_tax', 'split_tax', 'cannabis', 'stock_locations'],
  });
  await db.close();
  return login;
}

async function logIn(baseUrl: string, login: Login): Promise<string> {
  return ((await post(`${baseUrl}/api/v1/staff_sessions`, login)) as { token: string }).token;
}

async function makeKey(baseUrl: string, session: string): Promise<string> {
  const made = await post(`${baseUrl}/api/v1/api_keys`, { api_key: { name: 'Fuzz', scopes, rate_limit: 1000 } }, session);
  return (made as { key: string }).key;
}

async function times<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) made.push(await make());
  return made;
}
