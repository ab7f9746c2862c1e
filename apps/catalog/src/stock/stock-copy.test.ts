import { beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from '@store/db';
import { consume, type Message } from '@store/events';
import { consumeStores } from '@store/service';
import { type Json, lockWaits, testMessage } from '@store/testbed';
import { untilAlone } from '@store/testbed/until';
import { catalog, key, keyOf, productOf, shareCatalog, staff, storeId } from '../../test/catalog-under-test.ts';
import { consumeEvents } from '../consume-events.ts';

let id: number;

shareCatalog();
beforeEach(async () => {
  id = (await catalog.product({ name: 'Lantern', price: 2, cost: 1 }, key)).id;
  catalog.clock.advance(1000);
});

const level = (stock: string, version: number, product_id = id) => ({ product_id, stock, version });
const emitted = (work: () => Promise<unknown>) => catalog.eventsOf(storeId, work);

const message = (name: string, internal: Message['internal']) =>
  testMessage('inventory', { storeId, name, aggregate: String(id), internal });

describe('the stock copy', () => {
  test('D60: newer stock is applied with one event, a new updated_at and no audit entry', async () => {
    const [event, ...others] = await emitted(() => catalog.stock(storeId, [level('3.500', 1)]));
    expect(others).toEqual([]);
    expect(event).toMatchObject({ name: 'product.updated', body: { data: { id, current_stock: 3.5, in_stock: true } }, audit: undefined });
    expect(await catalog.get(id, key)).toMatchObject({ current_stock: 3.5, updated_at: catalog.clock.now().toISOString() });
  });

  test('the same or an older version changes nothing, in any order', async () => {
    expect(await catalog.stock(storeId, [level('5', 2)])).toBe(1);
    expect(await emitted(() => catalog.stock(storeId, [level('5', 2)]))).toEqual([]);
    expect(await emitted(() => catalog.stock(storeId, [level('9', 1)]))).toEqual([]);
    expect((await catalog.get(id, key)).current_stock).toBe(5);
  });

  test('one level takes two statements: the update, and the insert of its event', async () => {
    const box = await catalog.product({ name: 'Box', parent_id: id }, staff);
    expect(await catalog.statementsOf(() => catalog.stock(storeId, [level('4', 1, box.id)]))).toBe(2);
    expect(await catalog.statementsOf(() => catalog.stock(storeId, [level('4', 2, box.id)]))).toBe(1);
    const [event] = await emitted(() => catalog.stock(storeId, [level('3.500', 1)]));
    const shown = await catalog.get(id, key);
    expect(event!.body.data).toMatchObject({ variations: shown.variations, updated_at: shown.updated_at });
    expect(shown.variations.map((variation: Json) => variation.current_stock)).toEqual([4]);
  });

  test('several levels of one product are one event with the newest', async () => {
    const events = await emitted(() => catalog.stock(storeId, [level('1', 1), level('3', 3), level('2', 2)]));
    expect(events.map((event) => event.body.data.current_stock)).toEqual([3]);
  });

  test('a version that moves no stock is recorded without an event', async () => {
    await catalog.stock(storeId, [level('4', 1)]);
    const { updated_at } = await catalog.get(id, key);
    catalog.clock.advance(1000);
    expect(await emitted(() => catalog.stock(storeId, [level('4.000', 2)]))).toEqual([]);
    expect((await catalog.get(id, key)).updated_at).toBe(updated_at);
    expect(await emitted(() => catalog.stock(storeId, [level('9', 2)]))).toEqual([]);
  });

  test('a level that waited for another is compared with the stock that one left', async () => {
    let applied: Promise<number>[] = [];
    const events = await emitted(async () => {
      await catalog.db.unit(storeId, async (em) => {
        await sql(em, 'update catalog.products set stock = 9, stock_version = 5 where store_id = $1 and id = $2', [storeId, id]);
        applied = [catalog.stock(storeId, [level('9.000', 6)]), catalog.stock(storeId, [level('7.000', 4)])];
        await lockWaits(catalog.db, 2);
      });
      expect(await Promise.all(applied)).toEqual([1, 0]);
    });
    expect(events).toEqual([]);
    expect((await catalog.get(id, key)).current_stock).toBe(9);
  });

  test("another store's product is not touched", async () => {
    const theirs = await catalog.product({ name: 'Theirs' }, keyOf(storeId + 1000));
    expect(await catalog.stock(storeId, [level('7', 1, theirs.id)])).toBe(0);
    expect((await catalog.get(theirs.id, keyOf(storeId + 1000))).current_stock).toBe(0);
  });

  test('a deleted product keeps its stock for a restore and emits no event', async () => {
    await catalog.call('DeleteProduct', { id: String(id) }, staff);
    expect(await emitted(() => catalog.stock(storeId, [level('7', 1)]))).toEqual([]);
    const { json } = await catalog.call('RestoreProduct', { id: String(id) }, staff);
    expect(json.product.current_stock).toBe(7);
  });

  test('the event brings the same change: once, and only if ApplyStock did not', async () => {
    const take = consume({
      db: catalog.db,
      ...consumeEvents(catalog.app),
      log: { error: (fields) => void catalog.lines.push({ ...fields }) },
    });
    await catalog.db.unit(0, (em) =>
      consumeStores(em, 'catalog', [message('store.changed', { store: { timeZone: 'America/Toronto', features: ['cannabis'] } })]),
    );
    await catalog.body('BulkUpsert', { products: [{ sku: 'x', name: 'Leaf', strain_type: 'hybrid' }] }, key);
    const moved = message('inventory.adjusted', { stock: level('6.000', 4) });
    const events = await emitted(async () => {
      await take([moved, message('other', null)]);
      await take([moved]);
      await take([message('inventory.adjusted', { stock: level('5.000', 3) })]);
    });
    expect(events.map((event) => [event.name, event.body.data.current_stock])).toEqual([['product.updated', 6]]);
    expect(await emitted(() => catalog.stock(storeId, [level('6', 4)]))).toEqual([]);
    expect(catalog.lines).toEqual([]);
  });

  test('what ApplyStock has brought opens no transaction when its event comes: one read', async () => {
    await catalog.stock(storeId, [level('5.000', 1)]);
    const adjusted = message('inventory.adjusted', { stock: level('5.000', 1) });
    expect(await catalog.statementsOf(() => catalog.publish(adjusted, message('other', null)))).toBe(1);
    const newer = message('inventory.adjusted', { stock: level('7.000', 2) });
    expect(await emitted(() => catalog.publish(adjusted, newer))).toHaveLength(1);
    expect((await catalog.get(id, key)).current_stock).toBe(7);
  });

  test('a malformed level goes to dead_letters, and the rest of its batch is applied', async () => {
    await catalog.stock(storeId, [level('5.000', 1)]);
    const odd = message('inventory.adjusted', { stock: { product_id: 'x', stock: '1', version: 1 } } as never);
    await catalog.publish(message('inventory.adjusted', { stock: level('5.000', 1) }), odd);
    expect(await catalog.run('select event_id::text from catalog.dead_letters where event_id = $1', [odd.id])).toEqual([
      { event_id: odd.id },
    ]);
    catalog.lines.length = 0;
  });
});

test('a store event never overwrites a newer one; one without a version is the oldest', async () => {
  const store = (timeZone: string, version?: number) => ({ ...message('store.changed', { store: { timeZone, features: [] } }), version });
  const keeps = async (...messages: Message[]) => {
    await catalog.db.unit(0, (em) => consumeStores(em, 'catalog', messages));
    const [row] = await catalog.db.read<{ time_zone: string }>('select time_zone from catalog.stores where id = $1', [storeId]);
    return row!.time_zone;
  };
  expect(await keeps(store('America/Toronto'))).toBe('America/Toronto');
  expect(await keeps(store('Europe/London', 8))).toBe('Europe/London');
  expect(await keeps(store('Europe/Paris', 7))).toBe('Europe/London');
  expect(await keeps(store('Asia/Tokyo'))).toBe('Europe/London');
  expect(await keeps(store('Asia/Tokyo', 9), store('Europe/Paris', 7))).toBe('Asia/Tokyo');
});

describe('SetPrice', () => {
  const setPrice = async (ids: number[], price: string) => (await catalog.call('SetPrice', { product_ids: ids, price }, key)).json.changes;

  test('SetPrice changes prices that differ, each with one event, and answers all', async () => {
    const same = await catalog.product({ name: 'Same', price: 3 }, key);
    const theirs = await catalog.product({ name: 'Theirs' }, keyOf(storeId + 1000));
    let changes: Json;
    const events = await emitted(async () => {
      changes = await setPrice([id, same.id, theirs.id, 999999], '3.00');
    });
    expect(changes).toEqual([
      { product_id: id, old_price: '2.00', new_price: '3.00' },
      { product_id: same.id, old_price: '3.00', new_price: '3.00' },
    ]);
    expect(events).toHaveLength(1);
    const audit = { action: 'product.update', before: { price: '2.00' }, after: { price: '3.00' } };
    expect(events[0]).toMatchObject({ name: 'product.updated', body: { data: { id, price: '3.00' } }, audit });
    expect(events[0]!.text).not.toContain('cost');
  });

  test('D185: a repeated Idempotency-Key answers the same and keeps later prices', async () => {
    const once = keyOf(storeId, { idempotency: { key: 'price', hash: Buffer.alloc(32, 3) } });
    const request = { product_ids: [id], price: '3.00' };
    const first = await catalog.call('SetPrice', request, once);
    await setPrice([id], '4.00');
    const events = await emitted(async () => {
      expect((await catalog.call('SetPrice', request, once)).json).toEqual(first.json);
    });
    expect(events).toEqual([]);
    expect((await catalog.call('GetStockProducts', { ids: [id] }, key)).json.products[0].price).toBe('4.00');
  });
});

test('GetStockProducts answers live products of the store, inactive ones included', async () => {
  const asleep = await catalog.product({ name: 'Asleep', sku: 'Z', active: false, product_type: 'bundle' }, key);
  const theirs = await catalog.product({ name: 'Theirs' }, keyOf(storeId + 1000));
  const { json } = await catalog.call('GetStockProducts', { ids: [theirs.id, asleep.id, 999999, id] }, key);
  expect(json.products).toEqual([
    { id, name: 'Lantern', product_type: 'simple', has_variations: false, price: '2.00', unit_type: 'unit' },
    { id: asleep.id, name: 'Asleep', sku: 'Z', product_type: 'bundle', has_variations: false, price: '0.00', unit_type: 'unit' },
  ]);
});

test('alone, 10,000 prices or stocks take few statements per slice, an event each', async () => {
  const store = 9_000;
  await catalog.run(
    `insert into catalog.products (store_id, name, price, created_at, updated_at) select $1, 'Product ' || n, 1, now(), now() from generate_series(1, 10000) n`,
    [store],
  );
  const rows = await catalog.run<{ id: string }>('select id from catalog.products where store_id = $1 order by id', [store]);
  const ids = rows.map((row) => Number(row.id));
  const levels = ids.map((id) => ({ product_id: id, stock: '2.000', version: 1 }));
  const setPrice = () => catalog.call('SetPrice', { product_ids: ids, price: '3.00' }, keyOf(store));
  await untilAlone(store);
  expect(await catalog.statementsOf(setPrice)).toBeLessThan(3 * 100 + 10);
  expect(await catalog.statementsOf(() => catalog.stock(store, levels))).toBeLessThan(4 * 100 + 10);
  const events = await catalog.events(store);
  expect(events).toHaveLength(20_000);
  expect(events.map((event) => productOf(event))).toEqual([...ids, ...ids]);
  expect(events.at(-1)!.body.data).toMatchObject({ price: '3.00', current_stock: 2 });
  // What already costs that much is left alone (D69).
  expect(await catalog.eventsOf(store, setPrice)).toEqual([]);
}, 120_000);

test('two calls for the same many products both end while other stores call', async () => {
  const store = 9_001;
  await catalog.run(
    `insert into catalog.products (store_id, name, price, created_at, updated_at) select $1, 'Product ' || n, 1, now(), now() from generate_series(1, 300) n`,
    [store],
  );
  const rows = await catalog.run<{ id: string }>('select id from catalog.products where store_id = $1', [store]);
  const levels = (version: number) => rows.map(({ id }) => ({ product_id: Number(id), stock: `${version}.000`, version }));
  await catalog.stock(store + 1, [{ product_id: 1, stock: '1.000', version: 1 }]);
  const applied = await Promise.all([catalog.stock(store, levels(1)), catalog.stock(store, levels(2))]);
  expect(applied).toContain(300);
  expect(await catalog.run('select distinct stock::float8 from catalog.products where store_id = $1', [store])).toEqual([{ stock: 2 }]);
});
