/** The demo stores of a local run: created and loaded once, found again by every later start. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { openDb } from '@store/db';
import { openPasswords, scryptCostDefault } from '@store/gateway/passwords';
import { createStore } from '@store/gateway/stores';
import { entities } from '@store/gateway/tables';
import { dataDir, readJson, writeJson } from '../local/data-dir.ts';
import { type Login, loadDemo } from './load.ts';

/** `.data/demo.json`: what the start prints, for scripts. */
export interface DemoFile {
  base_url: string;
  api_key: string;
  staff: Login;
  /** The admin panel; only where one is served. */
  admin_url?: string;
  /** A product of the store, for examples. */
  product_id: number;
  second_store: { api_key: string; staff: Login };
}

/** What was loaded into one database. */
type Loaded = Omit<DemoFile, 'base_url' | 'admin_url'>;

interface DemoOptions {
  /** Where this layout's data is kept; the other layout has a database of its own. */
  dir: string;
  /** The database. */
  url: string;
  baseUrl: string;
  /** The gateway has an ADMIN_UPSTREAM. */
  adminServed: boolean;
}

interface Wanted {
  name: string;
  timeZone: string;
  currency: string;
  adminEmail: string;
  features?: string[];
}

const giftStore: Wanted = { name: 'Lantern & Lace Gifts', timeZone: 'Europe/London', currency: '£', adminEmail: 'admin@demo.example' };
const dispensary: Wanted = {
  name: 'Green Leaf Dispensary',
  timeZone: 'America/Toronto',
  currency: '$',
  adminEmail: 'admin@second.example',
  features: ['developer_api', 'customers', 'loyalty', 'label_printing', 'additional_tax', 'split_tax', 'cannabis', 'stock_locations'],
};

/** An interrupted load continues where it stopped. One that fails ends no start: it is said, and the next start tries again. */
export async function demoStore({ dir, url, baseUrl, adminServed }: DemoOptions): Promise<DemoFile | undefined> {
  const file = path.join(dir, 'demo-loaded.json');
  const known = readJson<Loaded>(file);
  const loaded = known ?? (await announcedBefore(baseUrl)) ?? (await makeDemo(dir, url, baseUrl).catch(notLoaded(baseUrl)));
  if (!loaded) return undefined;
  if (!known) writeJson(file, loaded);
  const demo = { base_url: baseUrl, ...loaded, ...(adminServed && { admin_url: `${baseUrl}/admin` }) };
  writeJson(path.join(dataDir(), 'demo.json'), demo);
  return demo;
}

/** Of a release that wrote only demo.json: it is this database's if its key is. */
async function announcedBefore(baseUrl: string): Promise<Loaded | undefined> {
  const found = readJson<DemoFile>(path.join(dataDir(), 'demo.json'));
  if (!found) return undefined;
  const { status } = await fetch(`${baseUrl}/api/v1/key`, { headers: { 'X-API-Key': found.api_key } });
  if (status !== 200) return undefined;
  const { base_url: _, admin_url: __, ...loaded } = found;
  return loaded;
}

function notLoaded(baseUrl: string): (error: Error) => undefined {
  return ({ message }) => {
    console.error(`The demo stores are not whole: ${message}. The API is served at ${baseUrl}; the next start tries again.`);
    return undefined;
  };
}

async function makeDemo(dir: string, url: string, baseUrl: string): Promise<Loaded> {
  const demo = await makeStore(dir, url, 'demo-store.json', giftStore);
  const second = await makeStore(dir, url, 'second-store.json', dispensary);
  const loaded = await loadDemo({ baseUrl, demo, second });
  return {
    api_key: loaded.apiKey,
    staff: demo,
    product_id: loaded.productId,
    second_store: { api_key: loaded.secondApiKey, staff: second },
  };
}

/** The password is written down before the store exists, so that an interrupted start can continue. */
async function makeStore(dir: string, url: string, name: string, wanted: Wanted): Promise<Login> {
  const file = path.join(dir, name);
  const login = readJson<Login>(file) ?? { email: wanted.adminEmail, password: randomBytes(12).toString('base64url') };
  writeJson(file, login);
  const db = await openDb({ url, schema: 'gateway', entities, poolMax: 1 });
  try {
    const known = await db.read('select 1 from gateway.staff_users where email = $1', [login.email]);
    if (known.length > 0) return login;
    const passwords = openPasswords(Number(process.env.PASSWORD_SCRYPT_COST ?? scryptCostDefault));
    const tools = { db, outbox: { db, wake: () => undefined }, passwords };
    await createStore(tools, { ...wanted, adminName: 'Demo Admin', adminPassword: login.password });
    return login;
  } finally {
    await db.close();
  }
}

/** Prints everything that the first request needs. */
export function welcome(demo: DemoFile): void {
  const key = `-H 'X-API-Key: ${demo.api_key}'`;
  const json = "-H 'Content-Type: application/json'";
  console.log(`
The store API is ready.

  Base URL      ${demo.base_url}   (paths begin with /api/v1)
  API key       ${demo.api_key}   (every scope)
  Staff login   ${demo.staff.email} / ${demo.staff.password}
  Documentation ${demo.base_url}/docs${demo.admin_url ? `\n  Admin panel   ${demo.admin_url}` : ''}

Try it:

  curl ${key} '${demo.base_url}/api/v1/products?sku=71053&per_page=2'

  curl -X POST ${key} ${json} -d '{"product": {"name": "Brass lantern", "price": "12.50"}}' ${demo.base_url}/api/v1/products

  curl -X POST ${key} ${json} -d '{"product_id": ${demo.product_id}, "adjustment_type": "receive", "quantity_change": 12}' ${demo.base_url}/api/v1/stock_adjustments

Ctrl-C stops everything; the data stays for the next start.`);
}
