/** Specification: Events and Payload, for the events of catalog and inventory. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { useWorld } from '../kit/use.ts';
import { type RecordedRow, recordOutbox, takeRecorded } from './outbox-history.ts';

const world = await useWorld();
const key = await world.newKey(world.store);
await recordOutbox(world);
beforeEach(async () => {
  await world.settled();
  await takeRecorded(world);
});

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

describe('"Fires when"', () => {
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
