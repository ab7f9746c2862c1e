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
  test('D60: a ledger entry is one inventory.adjusted and one product.updated, as GET', async () => {
    const { id } = await newProduct({ name: 'Counted', sku: 'C-1', price: 2 });
    await publicEvents();
    await post('/stock_adjustments', { product_id: id, adjustment_type: 'receive', quantity_change: '2.5' });
    const events = await publicEvents();
    expect(events.map(({ name }) => name).sort()).toEqual(['inventory.adjusted', 'product.updated']);
    const { data } = events.find(({ name }) => name === 'product.updated')!.body;
    expect(data).toMatchObject({ id, current_stock: 2.5, in_stock: true });
    expect(data).toEqual(await shape(id));
  });

  test('no other change is public: brands, categories, settings and keys have no event', async () => {
    await world.call('POST', '/brands', { ...staff(), body: { brand: { name: 'Quiet' } } });
    await world.call('POST', '/categories', { ...staff(), body: { category: { name: 'Quiet' } } });
    await world.call('PATCH', '/settings', { ...staff(), body: { settings: { locale: 'fr' } } });
    await world.newKey(world.store);
    expect(await publicEvents()).toEqual([]);
  });
});
