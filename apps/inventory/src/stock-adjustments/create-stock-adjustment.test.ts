import { beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from '@store/db';
import { caller, inventory, newStore, product, receive, shareInventory, storeId } from '../../test/shared-inventory.ts';
import { asStaff, poolMax } from '../../test/start-inventory.ts';
import { writeRows } from './ledger.ts';

shareInventory();

describe('POST /stock_adjustments', () => {
  beforeAll(() => newStore());

  test('spec: the answer holds exactly these keys, numbers as numbers and nothing as null', async () => {
    const id = product({ name: 'White metal lantern', sku: '71053' });
    inventory.clock.set('2026-11-20T12:00:00.123Z');
    const { stock_adjustment } = await inventory.adjust(receive(id, 12.5, { reason: 'Delivery' }), caller);
    expect(stock_adjustment).toEqual({
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

  test('spec: each ledger entry fires inventory.adjusted about its inventory transaction, never the ledger row', async () => {
    newStore();
    const id = product({ sku: '71053' });
    const { stock_adjustment } = await inventory.adjust(receive(id, 3), caller);
    const [event] = await inventory.events(storeId);
    expect(event).toMatchObject({ name: 'inventory.adjusted', aggregate: `product:${id}` });
    expect(event!.body).toMatchObject({ event: 'inventory.adjusted', resource_type: 'InventoryTransaction' });
    expect(event!.body!.resource_id).not.toBe(stock_adjustment.id);
    expect(event!.body!.data).toEqual({
      id: event!.body!.resource_id,
      product_id: id,
      product_sku: '71053',
      transaction_type: 'receive',
      source: 'api',
      old_stock: 0,
      new_stock: 3,
      stock_change: 3,
      created_at: stock_adjustment.created_at,
    });
    expect(event!.internal.stock).toEqual({ product_id: id, stock: '3.000', version: 1 });
    expect(event!.internal.audit).toMatchObject({ action: 'stock_adjustment.create', before: null, after: { quantity_after: 3 } });
  });

  test('an adjustment is two round trips: begin with the lock, everything that is written with the commit', async () => {
    newStore();
    const id = product();
    expect(await inventory.statementsOf(() => inventory.adjust(receive(id, 3), caller))).toBe(2);
    expect(await inventory.statementsOf(() => inventory.adjust(receive(id, -1), caller))).toBe(2);
    expect((await inventory.list('', caller)).pagination.total_count).toBe(2);
  });

  test('the plan that a unit keeps finds the stock of the product by its key, and reads that of no other one', async () => {
    newStore();
    const id = product();
    await inventory.adjust(receive(id, 1), caller);
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
    newStore({ actor: { type: 'user', keyId: 0, keyName: '', userId: 4, userName: 'Ada', role: 'manager' } });
    const id = product({ sku: '71053' });
    const { stock_adjustment } = await inventory.adjust(receive(id, '-2.5', { reason: 'Broken' }), caller);
    const [row] = (await inventory.list('', caller)).stock_adjustments;
    const [event] = await inventory.events(storeId);
    expect({ notes: null, reconciliation_id: null, ...event!.internal.audit.after }).toEqual(row);
    const { id: rowId, created_at } = stock_adjustment;
    expect(row).toMatchObject({ id: rowId, created_at, reason: 'Broken', quantity_after: -2.5, user: { id: 4, name: 'Ada' } });
    expect(event!.body!.data).toMatchObject({ old_stock: 0, new_stock: -2.5, stock_change: -2.5, product_sku: '71053' });
    const [stored] = await inventory.db.read<{ id: number; source: string }>(
      'select id, source from inventory.inventory_transactions where store_id = $1 and adjustment_id = $2',
      [storeId, stock_adjustment.id],
    );
    expect(stored).toEqual({ id: event!.body!.resource_id, source: 'admin' });
  });

  test('design: catalog holds the committed stock before the answer leaves', async () => {
    const id = product();
    await inventory.adjust(receive(id, 5), caller);
    expect(inventory.catalog.applied.at(-1)).toEqual({ levels: [{ product_id: id, stock: '5.000', version: 1 }] });
    await inventory.adjust(receive(id, -2), caller);
    expect(inventory.catalog.applied.at(-1)).toEqual({ levels: [{ product_id: id, stock: '3.000', version: 2 }] });
  });

  test('a transaction that runs again after a deadlock asks catalog once and hands the stock over once', async () => {
    newStore();
    const id = product();
    await inventory.run('create sequence inventory.inserts');
    await inventory.run(`create function inventory.fail_first() returns trigger language plpgsql as $$ begin
      if nextval('inventory.inserts') = 1 then raise exception 'as a deadlock does' using errcode = '40P01'; end if;
      return new; end $$`);
    await inventory.run(
      'create trigger fail_first before insert on inventory.stock_adjustments for each row execute function inventory.fail_first()',
    );
    const [asked, handedOver, reruns] = [inventory.catalog.asked, inventory.catalog.applied.length, inventory.reruns.count];
    await inventory.adjust(receive(id, 5), caller);
    await inventory.run('drop trigger fail_first on inventory.stock_adjustments');
    expect(inventory.reruns.count).toBe(reruns + 1);
    expect(inventory.catalog.asked).toBe(asked + 1);
    expect(inventory.catalog.applied.slice(handedOver)).toEqual([{ levels: [{ product_id: id, stock: '5.000', version: 1 }] }]);
    expect(await inventory.events(storeId)).toHaveLength(1);
  });

  test('a catalog that cannot be told of the stock does not fail the adjustment', async () => {
    const id = product();
    inventory.catalog.isDeaf = true;
    try {
      const { stock_adjustment } = await inventory.adjust(receive(id, 5), caller);
      expect(stock_adjustment.quantity_after).toBe(5);
    } finally {
      inventory.catalog.isDeaf = false;
    }
    expect(inventory.lines.at(-1)).toMatchObject({ msg: expect.stringMatching(/Catalog did not get new stock/) });
  });

  test('a catalog that cannot be asked is a failure, and nothing is written', async () => {
    newStore();
    const id = product();
    inventory.catalog.isDown = true;
    try {
      await expect(inventory.adjust(receive(id, 5), caller)).rejects.toMatchObject({ kind: 'unavailable' });
    } finally {
      inventory.catalog.isDown = false;
    }
    expect(await inventory.events(storeId)).toEqual([]);
    expect(await inventory.stockOf(storeId, id)).toBe(0);
  });

  test('a catalog that is slow holds no database connection: the ledger is read meanwhile (P22)', async () => {
    newStore();
    const id = product();
    const { promise, resolve } = Promise.withResolvers<void>();
    inventory.catalog.answers = promise;
    const waiting = Array.from({ length: 2 * poolMax }, () => inventory.adjust(receive(id, 1), caller));
    expect((await inventory.list('', caller)).pagination.total_count).toBe(0);
    resolve();
    await Promise.all(waiting);
    expect(await inventory.stockOf(storeId, id)).toBe(2 * poolMax);
  });

  test('a stock that would outgrow its column is a 422, not a database error', async () => {
    const id = product();
    await inventory.adjust(receive(id, '99999999999.999'), caller);
    await expect(inventory.adjust(receive(id, '0.001'), caller)).rejects.toMatchObject({ kind: 'invalid' });
    expect(await inventory.stockOf(storeId, id)).toBe(99999999999.999);
  });

  test('D106: the stock of a product with variations is adjusted at its variations', async () => {
    const id = product({ hasVariations: true });
    await expect(inventory.adjust(receive(id, 1), caller)).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringMatching(/adjust the stock of a variation/),
    });
  });

  test.each(['receive', 'count', 'spoilage', 'damage', 'reweigh', 'moisture_loss'])(
    'D102, D103: %s takes either sign and may go below zero',
    async (type) => {
      const id = product();
      const down = await inventory.adjust({ product_id: id, adjustment_type: type, quantity_change: '-2.5' }, caller);
      expect(down.stock_adjustment).toMatchObject({
        adjustment_type: type,
        quantity_before: 0,
        quantity_change: -2.5,
        quantity_after: -2.5,
      });
      const up = await inventory.adjust({ product_id: id, adjustment_type: type, quantity_change: '+1' }, caller);
      expect(up.stock_adjustment).toMatchObject({ quantity_before: -2.5, quantity_change: 1, quantity_after: -1.5 });
    },
  );

  test('spec: inventory records the difference from current stock; D104: no difference is a row and an event too', async () => {
    newStore();
    const id = product();
    await inventory.adjust(receive(id, 10), caller);
    const count = { product_id: id, adjustment_type: 'inventory', counted_quantity: 7, quantity_change: 'ignored' };
    expect((await inventory.adjust(count, caller)).stock_adjustment).toMatchObject({ quantity_change: -3, quantity_after: 7 });
    expect((await inventory.adjust(count, caller)).stock_adjustment).toMatchObject({ quantity_change: 0, quantity_after: 7 });
    expect(await inventory.events(storeId)).toHaveLength(3);
  });

  test('decimals stay decimals: ten times 0.1 is 1', async () => {
    const id = product();
    for (let i = 0; i < 10; i++) await inventory.adjust(receive(id, 0.1), caller);
    expect(
      (await inventory.adjust({ product_id: id, adjustment_type: 'inventory', counted_quantity: 1 }, caller)).stock_adjustment,
    ).toMatchObject({ quantity_before: 1, quantity_change: 0 });
  });

  test('D185: an Idempotency-Key adjusts once, replays the answer, and refuses another body', async () => {
    newStore();
    const id = product();
    const keyed = (hash: string) => ({ ...caller, idempotency: { key: 'once', hash: Buffer.from(hash) } });
    const first = await inventory.adjust(receive(id, 4), keyed('a'));
    inventory.catalog.products.delete(id);
    expect(await inventory.adjust(receive(id, 4), keyed('a'))).toEqual(first);
    await expect(inventory.adjust(receive(id, 5), keyed('b'))).rejects.toMatchObject({ kind: 'invalid' });
    expect(await inventory.stockOf(storeId, id)).toBe(4);
    expect(await inventory.events(storeId)).toHaveLength(1);
  });

  test('D111: what a key does has the source api, what staff do admin', async () => {
    newStore();
    const id = product();
    await inventory.adjust(receive(id, 1), caller);
    await inventory.adjust(receive(id, 1), asStaff(storeId));
    expect((await inventory.events(storeId)).map((event) => event.body!.data.source)).toEqual(['api', 'admin']);
  });
});

describe('at a location', () => {
  const location = (name: string, kind: string) => inventory.addLocation(name, kind, asStaff(storeId));

  test('spec: floor_stock and back_stock appear when the store tracks stock by location (D109: back is the rest)', async () => {
    newStore({ features: new Set(['stock_locations']) });
    const id = product();
    const floor = await location('Shop', 'floor');
    const back = await location('Cellar', 'back');
    await inventory.adjust(receive(id, 4, { warehouse_location_id: floor.id }), caller);
    await inventory.adjust(receive(id, 5, { warehouse_location_id: back.id }), caller);
    const { stock_adjustment } = await inventory.adjust(receive(id, 1), caller);
    expect(stock_adjustment).toMatchObject({ quantity_after: 10, floor_stock: 4, back_stock: 6 });
    const counted = await inventory.adjust(
      { product_id: id, adjustment_type: 'inventory', counted_quantity: 3, warehouse_location_id: floor.id },
      caller,
    );
    expect(counted.stock_adjustment).toMatchObject({
      quantity_before: 10,
      quantity_change: -1,
      quantity_after: 9,
      warehouse_location_id: floor.id,
      warehouse_location_name: 'Shop',
      floor_stock: 3,
      back_stock: 6,
    });
  });

  test('a store that does not track stock by location counts against its current stock', async () => {
    newStore();
    const id = product();
    const shop = await location('Shop', 'floor');
    await inventory.adjust(receive(id, 10), caller);
    const body = { product_id: id, adjustment_type: 'inventory', counted_quantity: 7, warehouse_location_id: shop.id };
    const { stock_adjustment } = await inventory.adjust(body, caller);
    expect(stock_adjustment).toMatchObject({ quantity_change: -3, quantity_after: 7 });
    expect(stock_adjustment).not.toHaveProperty('floor_stock');
  });

  test('spec: a bundle takes no location; D107: otherwise it has a stock of its own', async () => {
    newStore();
    const id = product({ productType: 'bundle' });
    const shop = await location('Shop', 'floor');
    await expect(inventory.adjust(receive(id, 1, { warehouse_location_id: shop.id }), caller)).rejects.toMatchObject({
      kind: 'invalid',
      extra: { errors: ['Warehouse location is not allowed for bundle products'] },
    });
    expect((await inventory.adjust(receive(id, 1), caller)).stock_adjustment.quantity_after).toBe(1);
  });
});
