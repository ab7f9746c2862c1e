/**
 * `npm start`: PostgreSQL, every service in one process, and a demo store, with nothing needed but
 * Node and npm. What it prints is all a newcomer needs for the first request.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { openDb } from '@store/db';
import { openPasswords, scryptCostDefault } from '@store/gateway/passwords';
import { createStore } from '@store/gateway/stores';
import { BadConfig } from '@store/service';
import { CannotStart } from './cannot-start.ts';
import { type DemoFile, dataDir, localSecrets, readJson, writeJson } from './data-dir.ts';
import { loadDemo } from './demo/load.ts';
import { startPostgres } from './postgres.ts';
import { type Services, startServices } from './services.ts';

const usage = `npm start: the store API with a demo store, on this machine.

  GATEWAY_PORT      port of the API (default 3000)
  GATEWAY_HOST      address it listens on (default 127.0.0.1)
  STORE_DATA_DIR    where data is kept between starts (default .data)
  DATABASE_URL      your own PostgreSQL instead of the embedded one
  LOG_LEVEL         least severe log lines in <data>/store.log (default info)

Every service's own settings are read from the environment too.`;

/** The demo store's first admin; the password is made anew for each data directory. */
interface DemoStore {
  email: string;
  password: string;
}

async function main(): Promise<void> {
  if (process.argv.includes('--help')) return console.log(usage);
  const dir = dataDir();
  const stops: (() => Promise<void>)[] = [];
  let stopping: Promise<void> | undefined;
  const stopAll = () => {
    stopping ??= (async () => {
      for (const stop of stops.splice(0).reverse()) await stop();
      rmSync(path.join(dir, 'postgres.json'), { force: true });
    })();
    return stopping;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!stopping) console.log('\nStopping');
      stopAll().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
  try {
    const url = process.env.DATABASE_URL ?? (await embeddedPostgres(dir, stops));
    writeJson(path.join(dir, 'postgres.json'), { url });
    const services = await startServices(
      { GATEWAY_PORT: '3000', ...localSecrets(dir), ...process.env, DATABASE_URL: url },
      { logFile: path.join(dir, 'store.log') },
    );
    stops.push(() => services.stop());
    welcome(await demo(dir, url, services));
  } catch (error) {
    await stopAll();
    throw error;
  }
}

async function embeddedPostgres(dir: string, stops: (() => Promise<void>)[]): Promise<string> {
  const postgres = await startPostgres({ dataDir: path.join(dir, 'postgres'), durable: true, log: (line) => console.log(line) });
  stops.push(() => postgres.stop());
  return postgres.url;
}

/** The demo store: made and loaded once, then found again. A load that was cut off is taken up again. */
async function demo(dir: string, url: string, services: Services): Promise<DemoFile & { productId: number }> {
  const baseUrl = `http://${services.address}`;
  const file = path.join(dir, 'demo.json');
  const known = readJson<DemoFile & { productId: number }>(file);
  if (known) {
    const found = { ...known, base_url: baseUrl, admin_url: `${baseUrl}/admin` };
    writeJson(file, found);
    return found;
  }
  const stores = {
    demo: await demoStore(dir, url, 'demo-store.json', demoStores.demo),
    second: await demoStore(dir, url, 'second-store.json', demoStores.second),
  };
  const loaded = await loadDemo({ baseUrl, demo: stores.demo, second: stores.second });
  const made = {
    base_url: baseUrl,
    api_key: loaded.apiKey,
    staff: { email: stores.demo.email, password: stores.demo.password },
    admin_url: `${baseUrl}/admin`,
    productId: loaded.productId,
    second_store: { api_key: loaded.secondApiKey, staff: { email: stores.second.email, password: stores.second.password } },
  };
  writeJson(file, made);
  return made;
}

const demoStores = {
  demo: { name: 'Lantern & Lace Gifts', timeZone: 'Europe/London', currency: '£', adminEmail: 'admin@demo.example' },
  second: {
    name: 'Green Leaf Dispensary',
    timeZone: 'America/Toronto',
    currency: '$',
    adminEmail: 'admin@second.example',
    features: ['developer_api', 'customers', 'loyalty', 'label_printing', 'additional_tax', 'split_tax', 'cannabis', 'stock_locations'],
  },
};

async function demoStore(
  dir: string,
  url: string,
  name: string,
  wanted: (typeof demoStores)['demo'] & { features?: string[] },
): Promise<DemoStore> {
  const file = path.join(dir, name);
  const known = readJson<DemoStore>(file);
  if (known) return known;
  const password = randomBytes(12).toString('base64url');
  const db = await openDb({ url, schema: 'gateway', entities: [], poolMax: 1 });
  try {
    const tools = {
      db,
      outbox: { db, wake: () => undefined },
      passwords: openPasswords(Number(process.env.PASSWORD_SCRYPT_COST ?? scryptCostDefault)),
    };
    await createStore(tools, { ...wanted, adminName: 'Demo Admin', adminPassword: password });
  } finally {
    await db.close();
  }
  const made = { email: wanted.adminEmail, password };
  writeJson(file, made);
  return made;
}

function welcome(demo: DemoFile & { productId: number }): void {
  console.log(`
The store API is ready.

  Base URL      ${demo.base_url}/api/v1
  API key       ${demo.api_key}   (every scope)
  Staff login   ${demo.staff.email} / ${demo.staff.password}
  Reference     ${demo.base_url}/api/v1/openapi.json

Try it:

  curl -H 'X-API-Key: ${demo.api_key}' '${demo.base_url}/api/v1/products?search=lantern&per_page=3'

  curl -X POST -H 'X-API-Key: ${demo.api_key}' -H 'Content-Type: application/json' -d '{"product": {"name": "Brass lantern", "price": "12.50"}}' ${demo.base_url}/api/v1/products

  curl -X POST -H 'X-API-Key: ${demo.api_key}' -H 'Content-Type: application/json' -d '{"product_id": ${demo.productId}, "adjustment_type": "receive", "quantity_change": 12}' ${demo.base_url}/api/v1/stock_adjustments

Ctrl-C stops everything; the data stays for the next start.`);
}

main().catch((error: unknown) => {
  if (error instanceof CannotStart || error instanceof BadConfig) console.error(error.message);
  else if ((error as { code?: string }).code === 'EADDRINUSE')
    console.error(`Port ${process.env.GATEWAY_PORT ?? 3000} is taken; set GATEWAY_PORT to another one.`);
  else console.error(error);
  process.exit(1);
});
