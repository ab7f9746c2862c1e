import { beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from '@store/db';
import { rerunsOf } from '@store/testbed';
import { isCluster } from '@store/testbed/one-server';
import {
  caller,
  inventory,
  ledger,
  newStore,
  newStoreWithLocations,
  poolMax,
  product,
  receive,
  shareInventory,
  staff,
  storeId,
} from '../../test/inventory-under-test.ts';
import { writeRows } from './ledger.ts';

/** What one server has and a cluster has not: triggers of a test. */
const onOneServer = isCluster ? test.skip : test;

shareInventory();

const adjust = (body: object) => inventory.adjust(body, caller);
const count = (product_id: number, counted_quantity: number, more: object = {}) =>
  adjust({ product_id, adjustment_type: 'inventory', counted_quantity, ...more });

describe('POST /stock_adjustments', () => {
  beforeEach(() => newStore());

  test('spec: the answer has exactly these keys, numbers as numbers, nothing as null', async () => {
    const id = product({ name: 'White metal lantern', sku: '71053' });
    inventory.clock.set('2026-11-20T12:00:00.123Z');
    expect(await adjust(receive(id, 12.5, { reason: 'Delivery' }))).toEqual({
      id: expect.any(Number),
      product_id: id,
      product_name: 'White metal lantern',
      adjustment_type: 'receive',
      quantity_change: 12.5,
      quantity_before: 0,
      quantity_after: 12.5,
      reason: 'Delivery',
      warehouse_location_id: null,
      warehouse_location_name: null,
      created_at: '2026-11-20T12:00:00.123Z',
    });
  });

  test('spec, D111: each ledger entry fires inventory.adjusted about its transaction', async () => {
    const id = product({ sku: '71053' });
    const adjustment = await adjust(receive(id, 3));
    const [event] = await inventory.events(storeId);
    expect(event).toMatchObject({ name: 'inventory.adjusted', aggregate: `product:${id}` });
    const { resource_id, data } = event!.body;
    const created_at = inventory.clock.now().toISOString();
    expect(event!.body).toMatchObject({ event: 'inventory.adjusted', resource_type: 'InventoryTransaction', created_at });
    expect(resource_id).not.toBe(adjustment.id);
    const about = { id: resource_id, product_id: id, product_sku: '71053', transaction_type: 'receive', source: 'api' };
    expect(data).toEqual({ ...about, old_stock: 0, new_stock: 3, stock_change: 3, created_at: adjustment.created_at });
    expect(event!.internal.stock).toEqual({ product_id: id, stock: '3.000', version: 1 });
    expect(event!.internal.audit).toMatchObject({ action: 'stock_adjustment.create', before: null, after: { quantity_after: 3 } });
  });

  test('an adjustment is two round trips: begin with lock, all writes with commit', async () => {
    const id = product();
    for (const quantity of [3, -1]) expect(await inventory.statementsOf(() => adjust(receive(id, quantity)))).toBe(2);
    expect((await inventory.list('', caller)).pagination.total_count).toBe(2);
  });

  test("the plan that a unit keeps finds the product's stock by key and reads no other", async () => {
    const id = product();
    await adjust(receive(id, 1));
    await inventory.run(
      `insert into inventory.stock_items (store_id, product_id, quantity, version, changed_at)
       select $1, 1000000 + n, 0, 0, now() from generate_series(1, 2000) n`,
      [storeId],
    );
    await inventory.run('analyze inventory.stock_items');
    const read = await inventory.db.unit(storeId, async (em) => {
      const line = { product: { id, name: 'Lantern', sku: null }, type: 'receive', movement: { by: '1' }, evidence: true };
      await writeRows(em, inventory.app, caller, [line]);
      const text = `select pg_stat_get_xact_tuples_returned('inventory.stock_items'::regclass)::int as n`;
      return (await sql<{ n: number }>(em, text))[0]!.n;
    });
    expect(read).toBe(0);
  });

  test('what the answer and the event show is what the ledger holds', async () => {
    const id = product({ sku: '71053' });
    const adjustment = await inventory.adjust(receive(id, '-2.5', { reason: 'Broken' }), staff);
    const [row] = await ledger();
    const [event] = await inventory.events(storeId);
    expect({ notes: null, reconciliation_id: null, ...event!.internal.audit.after }).toEqual(row);
    const user = { id: 7, name: 'Max Manager' };
    expect(row).toMatchObject({ id: adjustment.id, created_at: adjustment.created_at, reason: 'Broken', quantity_after: -2.5, user });
    expect(event!.body.data).toMatchObject({ old_stock: 0, new_stock: -2.5, stock_change: -2.5, product_sku: '71053' });
    const [stored] = await inventory.run(
      'select id, source from inventory.inventory_transactions where store_id = $1 and adjustment_id = $2',
      [storeId, adjustment.id],
    );
    expect(stored).toEqual({ id: event!.body.resource_id, source: 'admin' });
  });

  onOneServer('a transaction that runs again after a deadlock asks and tells catalog once', async () => {
    const id = product();
    await inventory.run('create sequence inventory.inserts');
    await inventory.run(`create function inventory.fail_first() returns trigger language plpgsql as $$ begin
      if nextval('inventory.inserts') = 1 then raise exception 'as a deadlock does' using errcode = '40P01'; end if;
      return new; end $$`);
    await inventory.run(
      'create trigger fail_first before insert on inventory.stock_adjustments for each row execute function inventory.fail_first()',
    );
    const [asked, handedOver] = [inventory.catalog.asked, inventory.catalog.applied.length];
    expect(await rerunsOf(inventory.db, () => adjust(receive(id, 5)))).toBe(1);
    await inventory.run('drop trigger fail_first on inventory.stock_adjustments');
    expect(inventory.catalog.asked).toBe(asked + 1);
    expect(inventory.catalog.applied.slice(handedOver)).toEqual([{ levels: [{ product_id: id, stock: '5.000', version: 1 }] }]);
    expect(await inventory.events(storeId)).toHaveLength(1);
  });

  test('a catalog that cannot be told of the stock does not fail the adjustment', async () => {
    inventory.catalog.isDeaf = true;
    const adjustment = await adjust(receive(product(), 5)).finally(() => (inventory.catalog.isDeaf = false));
    expect(adjustment.quantity_after).toBe(5);
    expect(inventory.lines.at(-1)).toMatchObject({ msg: expect.stringMatching(/Catalog did not get new stock/) });
  });

  test('a catalog that cannot be asked is a failure, and nothing is written', async () => {
    const id = product();
    inventory.catalog.isDown = true;
    const refused = inventory.refusal(adjust(receive(id, 5))).finally(() => (inventory.catalog.isDown = false));
    expect(await refused).toMatchObject({ status: 500 });
    expect(await inventory.events(storeId)).toEqual([]);
    expect(await inventory.stockOf(storeId, id)).toBe(0);
  });

  test('P22: a slow catalog holds no database connection: the ledger is read meanwhile', async () => {
    const id = product();
    const { promise, resolve } = Promise.withResolvers<void>();
    inventory.catalog.answers = promise;
    const waiting = Array.from({ length: 2 * poolMax }, () => adjust(receive(id, 1)));
    expect(await ledger()).toEqual([]);
    resolve();
    await Promise.all(waiting);
    expect(await inventory.stockOf(storeId, id)).toBe(2 * poolMax);
  });

  test('D166: a stock that would outgrow its column is a 422, not a database error', async () => {
    for (const sign of ['', '-']) {
      const id = product();
      await adjust(receive(id, `${sign}99999999999.999`));
      expect(await inventory.refusal(adjust(receive(id, `${sign}0.001`)))).toMatchObject({ status: 422 });
      expect(await inventory.stockOf(storeId, id)).toBe(Number(`${sign}99999999999.999`));
    }
  });

  test.each(['receive', 'count', 'spoilage', 'damage', 'reweigh', 'moisture_loss'])(
    'D102, D103: %s takes either sign and may go below zero',
    async (adjustment_type) => {
      const product_id = product();
      const down = await adjust({ product_id, adjustment_type, quantity_change: '-2.5' });
      expect(down).toMatchObject({ adjustment_type, quantity_before: 0, quantity_change: -2.5, quantity_after: -2.5 });
      const up = await adjust({ product_id, adjustment_type, quantity_change: '+1' });
      expect(up).toMatchObject({ quantity_before: -2.5, quantity_change: 1, quantity_after: -1.5 });
    },
  );

  test('spec, D104: inventory records the difference from stock, also if it is 0', async () => {
    const id = product();
    await adjust(receive(id, 10));
    for (const change of [-3, 0])
      expect(await count(id, 7, { quantity_change: 'ignored' })).toMatchObject({ quantity_change: change, quantity_after: 7 });
    expect(await inventory.events(storeId)).toHaveLength(3);
  });
});

describe('at a location', () => {
  test('spec, D109: floor_stock and back_stock appear when the store tracks locations', async () => {
    const { floor, back } = await newStoreWithLocations();
    const id = product();
    await adjust(receive(id, 4, { warehouse_location_id: floor }));
    await adjust(receive(id, 5, { warehouse_location_id: back }));
    expect(await adjust(receive(id, 1))).toMatchObject({ quantity_after: 10, floor_stock: 4, back_stock: 6 });
    const at = { warehouse_location_id: floor, warehouse_location_name: 'Shop', floor_stock: 3, back_stock: 6 };
    const counted = await count(id, 3, { warehouse_location_id: floor });
    expect(counted).toMatchObject({ quantity_before: 10, quantity_change: -1, quantity_after: 9, ...at });
  });

  test('a store that does not track stock by location counts against its current stock', async () => {
    newStore();
    const id = product();
    const shop = await inventory.addLocation('Shop', 'floor', staff);
    await adjust(receive(id, 10));
    const adjustment = await count(id, 7, { warehouse_location_id: shop.id });
    expect(adjustment).toMatchObject({ quantity_change: -3, quantity_after: 7 });
    expect(adjustment).not.toHaveProperty('floor_stock');
  });

  test('D107: a bundle has a stock of its own', async () => {
    newStore();
    expect(await adjust(receive(product({ productType: 'bundle' }), 1))).toMatchObject({ quantity_after: 1 });
  });
});
