/** This version starts on the installation that an earlier release left, killed in the middle of its work: everything is there. */
import { describe, expect, test } from '@jest/globals';
import { appNames } from '@store/contract';
import { openDb } from '@store/db';
import { type Republished, republish } from '@store/service';
import { capturingLog, SetClock, type TestDatabase, testDatabase } from '@store/testbed';
import { openClient, withClient } from '@store/testbed/with-client';
import type pg from 'pg';
import { republishProducts } from '../../apps/catalog/src/products/republish-products.ts';
import { entities as ofCatalog } from '../../apps/catalog/src/tables.ts';
import { republishCustomers } from '../../apps/customers/src/customers/republish-customers.ts';
import { entities as ofCustomers } from '../../apps/customers/src/tables.ts';
import { republishStaff, republishStores } from '../../apps/gateway/src/republish.ts';
import { entities as ofGateway } from '../../apps/gateway/src/tables.ts';
import { migratedDatabase } from '../../tools/dev/migrated-database.ts';
import { startServices } from '../../tools/local/services.ts';
import { type Request, send } from '../kit/http.ts';
import { isSigned, openReceiver, type Receiver } from '../kit/receiver.ts';
import { settled } from '../kit/settled.ts';
import { openBeforeAll } from '../kit/use.ts';
import { leftBy, releases, restoreInstallation } from './releases/installation.ts';

const startMs = 120_000;

const columnsOf = `select table_schema, table_name, column_name, data_type, numeric_precision, numeric_scale, is_nullable, column_default
  from information_schema.columns where table_schema = any($1) order by table_schema, table_name, column_name`;
/** Without what the release before needs, which a new installation has not. */
const indexesOf = `select schemaname, indexname, indexdef from pg_indexes
  where schemaname = any($1) and not starts_with(indexname, 'earlier_') order by schemaname, indexname`;

/** Each copy beside its source: rows that are in one alone. */
const copies: Record<string, [copy: string, source: string]> = {
  'customers.products': ['select store_id, id, name from customers.products', 'select store_id, id, name from catalog.products'],
  'sales.customers': ['select store_id, id, name from sales.customers', 'select store_id, id, name from customers.customers'],
  'inventory.staff_users': ['select store_id, id, name from inventory.staff_users', 'select store_id, id, name from gateway.staff_users'],
  ...Object.fromEntries(
    ['catalog', 'customers', 'inventory', 'sales'].map((app): [string, [string, string]] => [
      `${app}.stores`,
      [`select id, time_zone from ${app}.stores`, 'select id, time_zone from gateway.stores'],
    ]),
  ),
};

/** Without what events that had waited change (copies of stock, what sales add to a customer), and the address that the test gives a receiver. */
const moving = [
  'current_stock',
  'in_stock',
  'updated_at',
  'loyalty_points',
  'loyalty_tier',
  'lifetime_spend',
  'visit_count',
  'last_triggered_at',
  'url',
];
const settledParts = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, part) => (moving.includes(name) ? undefined : part)));

describe.each(releases)('an installation of %s', (release) => {
  const left = leftBy(release);
  let database: TestDatabase;
  let client: pg.Client;
  let receiver: Receiver;
  let running: Awaited<ReturnType<typeof startServices>>;
  let clock: SetClock;
  const { log, lines } = capturingLog();
  let waiting: number;
  openBeforeAll(async (opened) => {
    database = await opened(testDatabase(`release_${release.replaceAll('.', '_')}`, (url) => restoreInstallation(release, url)));
    client = await opened(openClient(database.url), (one) => one.end());
    receiver = await opened(openReceiver());
    await client.query(`update webhooks.subscriptions set url = $1 || '/hook'`, [receiver.url]);
    waiting = (await client.query('select (select count(*) from catalog.outbox) + (select count(*) from inventory.outbox) as rows')).rows[0]
      .rows;
    clock = new SetClock(new Date(Date.parse(left.made_at) + 60_000).toISOString());
    const env = { DATABASE_URL: database.url, GATEWAY_PORT: '0', ...left.secrets, ...receiver.env };
    running = await opened(startServices(env, { clock, log }), (one) => one.stop());
  });

  const call = (path: string, { key = left.api_key, ...request }: Request & { method?: string } = {}) =>
    send(request.method ?? 'GET', `http://${running.address}/api/v1${path}`, { ...(key && { key: `sk_store_${key}` }), ...request });
  const quiet = () => settled(client, { clock, published: async () => ({ messages: 0, behind: 0 }) });

  test(
    'has the schema that a new installation has',
    async () => {
      const fresh = await migratedDatabase();
      await withClient(fresh.url, async (other) => {
        for (const text of [columnsOf, indexesOf])
          expect((await client.query(text, [appNames])).rows).toEqual((await other.query(text, [appNames])).rows);
      }).finally(() => fresh.close());
    },
    startMs,
  );

  test('answers its keys, its staff and what they read as before, and no revoked key', async () => {
    for (const [read, answered] of Object.entries(left.reads)) {
      const { status, body } = await call(read);
      expect([read, status, settledParts(body.data ?? body)]).toMatchObject([read, 200, settledParts(answered)]);
    }
    expect((await call('/products?per_page=1', { key: left.second_api_key })).status).toBe(200);
    expect((await call('/products?per_page=1', { key: left.revoked_key })).status).toBe(401);
    const bearer = { key: '', token: left.session_token };
    expect((await call('/products?per_page=1', bearer)).status).toBe(200);
    expect((await call('/staff_sessions', { method: 'POST', key: '', body: left.staff })).status).toBe(201);
  });

  test('repeats the answer that it keeps for a request', async () => {
    const body = { product: { name: 'Kept lantern', price: '12.50' } };
    const { status, body: answer } = await call('/products', { method: 'POST', idempotencyKey: left.idempotency_key, body });
    expect([status, answer.data]).toMatchObject([201, left.created]);
    expect((await client.query(`select from catalog.products where name = 'Kept lantern'`)).rowCount).toBe(1);
  });

  test(
    'publishes waiting events and sends what was due, signed with the known secret',
    async () => {
      expect(Number(waiting)).toBeGreaterThan(100);
      await quiet();
      const { rows } = await client.query(`select body from webhooks.events where name = 'product.created' order by sequence desc limit 3`);
      expect(rows.map(({ body }) => String(body)).join('')).toContain('Waiting lantern');
      expect(receiver.hooks.length).toBeGreaterThan(100);
      expect(receiver.hooks.slice(-20).filter((hook) => !isSigned(hook, left.signing_secret))).toEqual([]);
    },
    startMs,
  );

  test('has each stock as its ledger says', async () => {
    await quiet();
    const { rows } = await client.query(`select i.product_id, i.quantity, sum(t.quantity_change) as ledger
      from inventory.stock_items i join inventory.stock_adjustments t using (store_id, product_id)
      group by i.store_id, i.product_id, i.quantity having i.quantity <> sum(t.quantity_change)`);
    expect(rows).toEqual([]);
  });

  test(
    'has each copy as its source once the owners have republished their records',
    async () => {
      const send = async (schema: string, entities: Parameters<typeof openDb>[0]['entities'], ...kinds: Republished[]) => {
        const db = await openDb({ url: database.url, schema, entities, poolMax: 1, clock });
        for (const kind of kinds) await republish({ db, wake: () => undefined }, kind);
        await db.close();
      };
      await send('gateway', ofGateway, republishStores, republishStaff);
      await send('catalog', ofCatalog, republishProducts);
      await send('customers', ofCustomers, republishCustomers);
      await quiet();
      for (const [name, [copy, source]] of Object.entries(copies)) {
        const { rows } = await client.query(`(${copy} except ${source}) union all (${source} except ${copy})`);
        expect([name, rows]).toEqual([name, []]);
      }
    },
    startMs,
  );

  test('works without an incident in its log', () => {
    expect(lines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});
