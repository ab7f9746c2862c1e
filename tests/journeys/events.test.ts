/** Specification: Events and Payload, for the events of catalog and inventory. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type RecordedRow, recordOutbox, takeRecorded } from './outbox-history.ts';
import { openWorld, type World } from './world.ts';

let world: World;
let key: string;
beforeAll(async () => {
  world = await openWorld();
  key = await world.newKey(world.store);
  await recordOutbox(world);
});
beforeEach(async () => {
  await world.settled();
  await takeRecorded(world);
});
afterAll(() => world.close());

const staff = () => ({ token: world.store.token });
const post = (path: string, body: unknown) => world.call('POST', path, { key, body });
const newProduct = async (product: object) => (await post('/products', { product })).body.data;

/** The public events since the last call, after all events have been published and handled. */
async function publicEvents(): Promise<RecordedRow[]> {
  await world.settled();
  return (await takeRecorded(world)).filter(({ body }) => body !== null);
}
/** A key's view of the product, without costs: what the event carries. */
async function shape(id: number) {
  const blind = await world.newKey(world.store, { scopes: ['products:read'] });
  const { data } = (await world.call('GET', `/products/${id}`, { key: blind })).body;
  await world.settled();
  return data;
}

describe('Payload: "id (string, unique per event), event, resource_type, resource_id, created_at, data"', () => {
  test('product.created: the Products shape without costs, in exactly these top-level fields', async () => {
    const product = await newProduct({ name: 'Told', sku: 'T-1', price: 2, cost: 1, wholesale_price: 1 });
    const events = await publicEvents();
    expect(events).toHaveLength(1);
    expect(Object.keys(events[0]!.body)).toEqual(['id', 'event', 'resource_type', 'resource_id', 'created_at', 'data']);
    expect(events[0]!.body).toEqual({
      id: events[0]!.event_id,
      event: 'product.created',
      resource_type: 'Product',
      resource_id: product.id,
      created_at: world.clock.now().toISOString(),
      data: await shape(product.id),
    });
  });

  test('"never cost fields": the words are in no webhook body', async () => {
    const product = await newProduct({ name: 'Costly', cost: 5, wholesale_price: 4 });
    await world.call('PATCH', `/products/${product.id}`, {
      ...staff(),
      body: { product: { cost: 6, wholesale_price: 7, name: 'Costlier' } },
    });
    for (const { text } of await publicEvents()) expect(text).not.toMatch(/"(cost|average_cost|wholesale_price)"/);
  });

  test('data is in the bytes of the JSON that the API answers, keys in the same order', async () => {
    const product = await newProduct({ name: 'Bytes', sku: 'BY-1', description: 'ünïcode 🎈 "quoted" \\ </script>' });
    const [event] = await publicEvents();
    expect(event!.text).toContain(`"data":${JSON.stringify(await shape(product.id))}}`);
  });
});

describe('"Fires when"', () => {
  test('product.updated: product updated, including restore of a deleted product; product.deleted: data is { id }', async () => {
    const { id } = await newProduct({ name: 'Cycle' });
    await publicEvents();
    await world.call('PATCH', `/products/${id}`, { ...staff(), body: { product: { name: 'Cycle 2' } } });
    await world.call('DELETE', `/products/${id}`, staff());
    await world.call('POST', `/products/${id}/restore`, staff());
    const events = await publicEvents();
    expect(events.map(({ name }) => name)).toEqual(['product.updated', 'product.deleted', 'product.updated']);
    expect(events[1]!.body).toMatchObject({ resource_type: 'Product', resource_id: id, data: { id } });
    expect(Object.keys(events[1]!.body.data)).toEqual(['id']);
    expect(events[2]!.body.data).toEqual(await shape(id));
  });

  test('bulk_upsert: one event per row that changed; D69: none for unchanged rows', async () => {
    const products = [
      { sku: 'E-1', name: 'One' },
      { sku: 'E-2', name: 'Two' },
      { sku: '', name: 'Failed' },
    ];
    await post('/products/bulk_upsert', { products });
    expect((await publicEvents()).map(({ name }) => name)).toEqual(['product.created', 'product.created']);
    await post('/products/bulk_upsert', { products });
    expect(await publicEvents()).toEqual([]);
    await post('/products/bulk_upsert', { products: [{ sku: 'E-1', name: 'One more' }, products[1]] });
    expect((await publicEvents()).map(({ name, body }) => [name, body.data.name])).toEqual([['product.updated', 'One more']]);
  });

  test("inventory.adjusted: any ledger entry; resource_id is the transaction's and not the ledger row's (D111); and one product.updated (D60)", async () => {
    await newProduct({ name: 'Spacer' });
    const { id } = await newProduct({ name: 'Counted', sku: 'C-1', price: 2 });
    await publicEvents();
    const row = (await post('/stock_adjustments', { product_id: id, adjustment_type: 'receive', quantity_change: '2.5' })).body.data;
    const events = await publicEvents();
    expect(events.map(({ name }) => name).sort()).toEqual(['inventory.adjusted', 'product.updated']);
    const { body } = events.find(({ name }) => name === 'inventory.adjusted')!;
    expect(body).toEqual({
      id: expect.any(String),
      event: 'inventory.adjusted',
      resource_type: 'InventoryTransaction',
      resource_id: expect.any(Number),
      created_at: world.clock.now().toISOString(),
      data: {
        id: body.resource_id,
        product_id: id,
        product_sku: 'C-1',
        transaction_type: 'receive',
        source: 'api',
        old_stock: 0,
        new_stock: 2.5,
        stock_change: 2.5,
        created_at: row.created_at,
      },
    });
    expect(events.find(({ name }) => name === 'product.updated')!.body.data).toMatchObject({ id, current_stock: 2.5, in_stock: true });
    expect(events.find(({ name }) => name === 'product.updated')!.body.data).toEqual(await shape(id));
  });

  test('D112: bulk_update with price and stock puts old_price and new_price on the ledger event; with stock alone they are omitted', async () => {
    const { id } = await newProduct({ name: 'Priced', price: 2 });
    await publicEvents();
    await world.call('PATCH', '/products/bulk_update', { key, body: { product_ids: [id], updates: { price: 3, current_stock: 4 } } });
    const both = await publicEvents();
    const adjusted = both.find(({ name }) => name === 'inventory.adjusted')!.body.data;
    expect(adjusted).toMatchObject({ transaction_type: 'receive', old_stock: 0, new_stock: 4, old_price: '2.00', new_price: '3.00' });
    expect(both.filter(({ name }) => name === 'product.updated').length).toBeGreaterThanOrEqual(1);
    expect(both.filter(({ name }) => name === 'product.updated').length).toBeLessThanOrEqual(2);
    await world.call('PATCH', '/products/bulk_update', { key, body: { product_ids: [id], updates: { current_stock: 1 } } });
    const alone = (await publicEvents()).find(({ name }) => name === 'inventory.adjusted')!.body.data;
    expect(alone).toMatchObject({ transaction_type: 'count', stock_change: -3 });
    expect(alone).not.toHaveProperty('old_price');
    expect(alone).not.toHaveProperty('new_price');
  });

  test('D74: setting the same stock and the same price emits nothing', async () => {
    const { id } = await newProduct({ name: 'Still', price: 2 });
    await publicEvents();
    await world.call('PATCH', '/products/bulk_update', { key, body: { product_ids: [id], updates: { price: '2.00', current_stock: 0 } } });
    expect(await publicEvents()).toEqual([]);
  });

  test('D104: a count that finds the stock right is an event all the same', async () => {
    const { id } = await newProduct({ name: 'Right' });
    await publicEvents();
    await post('/stock_adjustments', { product_id: id, adjustment_type: 'inventory', counted_quantity: 0 });
    const events = await publicEvents();
    expect(events.filter(({ name }) => name === 'inventory.adjusted').map(({ body }) => body.data.stock_change)).toEqual([0]);
  });

  test('D111: source is admin when staff count', async () => {
    const { id } = await newProduct({ name: 'Staffed' });
    await publicEvents();
    const body = { product_id: id, adjustment_type: 'receive', quantity_change: 1 };
    await world.call('POST', '/stock_adjustments', { ...staff(), body });
    expect((await publicEvents()).find(({ name }) => name === 'inventory.adjusted')!.body.data.source).toBe('admin');
  });

  test('a refused request emits nothing', async () => {
    await post('/products', { product: { name: '' } });
    await post('/products', { product: { name: 'A', price: -1 } });
    await post('/stock_adjustments', { product_id: 1, adjustment_type: 'receive', quantity_change: 0 });
    await world.call('PATCH', '/products/bulk_update', { key, body: { product_ids: [], updates: { price: 1 } } });
    expect(await publicEvents()).toEqual([]);
  });

  test('no other change is public: brands, categories, settings and keys have no event', async () => {
    await world.call('POST', '/brands', { ...staff(), body: { brand: { name: 'Quiet' } } });
    await world.call('POST', '/categories', { ...staff(), body: { category: { name: 'Quiet' } } });
    await world.call('PATCH', '/settings', { ...staff(), body: { settings: { locale: 'fr' } } });
    await world.newKey(world.store);
    expect(await publicEvents()).toEqual([]);
  });
});

test('events of one product are written in the order of its changes, 10 writers at once', async () => {
  const { id } = await newProduct({ name: 'Ordered' });
  await publicEvents();
  const adjust = (n: number) => post('/stock_adjustments', { product_id: id, adjustment_type: 'receive', quantity_change: n });
  await Promise.all(Array.from({ length: 10 }, (_, n) => adjust(n + 1)));
  const events = (await publicEvents()).filter(({ name }) => name === 'inventory.adjusted').map(({ body }) => body.data);
  expect(events).toHaveLength(10);
  for (const [index, event] of events.entries()) expect(event.old_stock).toBe(index === 0 ? 0 : events[index - 1].new_stock);
  expect(new Set(events.map((event) => event.id)).size).toBe(10);
});
