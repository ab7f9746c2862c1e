/** A change, its events, its audit and its stored answer exist together or not at all. */
import { expect, test } from '@jest/globals';
import { catalog, key, keyOf, shareCatalog, staff, storeId, updateCategory, updateProduct } from '../../test/catalog-under-test.ts';

shareCatalog();

test('if the events cannot be written, nothing is changed and the answer is a 500', async () => {
  const brand = await catalog.brand('Acme', staff);
  const category = await catalog.category({ name: 'Garden' }, staff);
  const { id } = await catalog.product({ name: 'Lantern', sku: 'A', brand_id: brand.id, category_ids: [category.id] }, staff);
  const before = await catalog.get(id, key);
  const state = () =>
    catalog.run(
      `select (select json_agg(p order by id) from catalog.products p) as products, (select json_agg(b) from catalog.brands b) as brands,
         (select json_agg(c) from catalog.categories c) as categories, (select json_agg(p) from catalog.promotions p) as promotions,
         (select sum(delta) from catalog.product_totals) as total, (select count(*) from catalog.outbox) as events,
         (select count(*) from catalog.idempotency) as answers`,
    );
  await catalog.run('alter table catalog.outbox add constraint closed check (false) not valid');
  const was = await state();
  catalog.clock.advance(1000);
  const once = keyOf(storeId, { idempotency: { key: 'k', hash: Buffer.alloc(32) } });
  const products = [
    { sku: 'A', price: 4 },
    { sku: 'B', name: 'b' },
  ];
  for (const work of [
    () => catalog.product({ name: 'New' }, once),
    () => catalog.body('BulkUpsert', { products }, key),
    () => updateProduct(id, { name: 'x', category_ids: [] }),
    () => catalog.byId('DeleteProduct', id, staff),
    () => catalog.stock(storeId, [{ product_id: id, stock: '4', version: 1 }]),
    () => catalog.call('SetPrice', { product_ids: [id], price: '9.00' }, key),
    () => catalog.body('UpdateBrand', { brand: { name: 'Apex' } }, staff, { id: brand.id }),
    () => catalog.byId('DeleteBrand', brand.id, staff),
    () => updateCategory(category.id, { name: 'Yard' }),
    () => catalog.promotion({ product_ids: [id] }, staff),
  ]) {
    expect(await catalog.refusal(work())).toEqual({ status: 500, error: 'Database error occurred' });
    expect(await state()).toEqual(was);
  }
  await catalog.run('alter table catalog.outbox drop constraint closed');
  expect(await catalog.get(id, key)).toEqual(before);
});

test('events of one record stand in the order of its changes', async () => {
  const { id } = await catalog.product({ name: 'a', price: 0 }, key);
  await Promise.all(Array.from({ length: 12 }, (_, n) => updateProduct(id, { price: n + 1 })));
  const events = await catalog.events(storeId);
  expect(events).toHaveLength(13);
  for (const [index, event] of events.slice(1).entries()) {
    // Each update's "before" is what the event before it told.
    expect(event.audit?.before).toEqual({ price: events[index]!.body.data.price });
  }
  expect((await catalog.get(id, key)).price).toBe(events.at(-1)!.body.data.price);
});
