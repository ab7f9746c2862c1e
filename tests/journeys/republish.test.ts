/** Copies of another app's records that are empty are as they were after `republish`, and no receiver hears of it. */
import { expect, test } from '@jest/globals';
import { openDb } from '@store/db';
import { type Republished, republish } from '@store/service';
import { republishProducts } from '../../apps/catalog/src/products/republish-products.ts';
import { entities as ofCatalog } from '../../apps/catalog/src/tables.ts';
import { republishCustomers } from '../../apps/customers/src/customers/republish-customers.ts';
import { entities as ofCustomers } from '../../apps/customers/src/tables.ts';
import { republishStaff, republishStores } from '../../apps/gateway/src/republish.ts';
import { entities as ofGateway } from '../../apps/gateway/src/tables.ts';
import { useWorld } from '../kit/use.ts';
import { fillStore } from './filled-store.ts';

const world = await useWorld();
await fillStore(world);
await world.newStore();

const staff = (method: string, path: string, body?: object) => world.call(method, path, { token: world.store.token, body });

/** Each copy by its source: all columns but those that say which event it was. */
const copies: Record<string, [table: string, columns: string, order: string][]> = {
  stores: ['catalog', 'customers', 'inventory', 'sales'].map((app) => [`${app}.stores`, 'id, time_zone, features', 'id']),
  staff: [['inventory.staff_users', 'store_id, id, name', 'store_id, id']],
  products: [['customers.products', 'store_id, id, name, deleted', 'store_id, id']],
  customers: [['sales.customers', 'store_id, id, name, customer_code, email, phone, archived', 'store_id, id']],
};
const tables = Object.values(copies).flat();

async function contents(): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const [table, columns, order] of tables)
    found[table] = (await world.database.query(`select ${columns} from ${table} order by ${order}`)).rows;
  return found;
}

async function send(schema: string, entities: Parameters<typeof openDb>[0]['entities'], kind: Republished): Promise<number> {
  const db = await openDb({ url: world.databaseUrl, schema, entities, poolMax: 1, clock: world.clock });
  try {
    return await republish({ db, wake: () => undefined }, kind);
  } finally {
    await db.close();
  }
}

async function sendAll(): Promise<number[]> {
  const sent = [
    await send('gateway', ofGateway, republishStores),
    await send('gateway', ofGateway, republishStaff),
    await send('catalog', ofCatalog, republishProducts),
    await send('customers', ofCustomers, republishCustomers),
  ];
  await world.settled();
  return sent;
}

test('empty copies are restored, newer changes count; receivers and audit hear nothing', async () => {
  const { products } = (await staff('GET', '/products')).body;
  const [first, second] = products as { id: number }[];
  const { customer: one } = (await staff('POST', '/customers', { customer: { name: 'Ada' } })).body;
  const { customer: other } = (await staff('POST', '/customers', { customer: { name: 'Adah' } })).body;
  expect((await staff('POST', `/customers/${one.id}/merge`, { customer_id: other.id })).status).toBe(200);
  await staff('PATCH', `/products/${second!.id}`, { product: { name: 'Renamed' } });
  await staff('DELETE', `/products/${first!.id}`);
  await world.settled();
  const before = await contents();
  for (const rows of Object.values(before)) expect(rows.length).toBeGreaterThan(0);
  const said = async () =>
    (
      await world.database.query(
        'select (select count(*) from webhooks.events) as events, (select count(*) from gateway.audit_entries) as audit',
      )
    ).rows;
  const heard = await said();

  for (const [table] of tables) await world.database.query(`delete from ${table}`);
  expect((await sendAll()).every((sent) => sent > 0)).toBe(true);
  expect(await contents()).toEqual(before);
  expect(await said()).toEqual(heard);

  // Beside a copy that is whole it changes nothing, and what is changed later is newer.
  await sendAll();
  expect(await contents()).toEqual(before);
  await staff('PATCH', `/products/${second!.id}`, { product: { name: 'Renamed again' } });
  await world.settled();
  expect((await contents())['customers.products']).toContainEqual(
    expect.objectContaining({ id: String(second!.id), name: 'Renamed again' }),
  );
}, 120_000);
