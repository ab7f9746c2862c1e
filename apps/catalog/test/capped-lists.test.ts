/** D200: lists at their ends. That longer ones in a body are refused by name is in tests/journeys/bad-input.jsonl. */
import { expect, test } from '@jest/globals';
import { catalog, shareCatalog, staff, storeId, updateCategory, updateProduct } from './catalog-under-test.ts';

shareCatalog();

const many = <T>(length: number, item: (n: number) => T) => Array.from({ length }, (_, n) => item(n));

test('lists at their limits are accepted, and the event is far below its maximum size', async () => {
  const longest = '\uffff'.repeat(255);
  const lists = {
    additional_barcodes: many(100, () => ({ code: longest, label: longest })),
    weight_presets: many(50, () => ({ weight: 1, label: longest, barcode: longest, price: 1 })),
    category_ids: await Promise.all(many(100, async (n) => (await catalog.category({ name: `C ${n}` }, staff)).id)),
  };
  const [event] = await catalog.eventsOf(storeId, () =>
    catalog.product({ name: longest, description: '\uffff'.repeat(10_000), ...lists }, staff),
  );
  expect(event!.body.data.additional_barcodes).toHaveLength(100);
  expect(event!.body.data.categories).toHaveLength(100);
  expect(Buffer.byteLength(event!.text!)).toBeLessThan(700_000);
});

test('a list cannot replace the products of a category with more than its maximum', async () => {
  const category = await catalog.category({ name: 'Large' }, staff);
  await catalog.run(
    `with p as (insert into catalog.products (store_id, name, created_at, updated_at) select $2, 'p' || n, now(), now() from generate_series(1, 10001) n returning id)
     insert into catalog.product_categories (store_id, category_id, product_id) select $2, $1, id from p`,
    [category.id, storeId],
  );
  const refused = { status: 422, errors: ['Product ids cannot replace more than 10000'] };
  expect(await catalog.refusal(updateCategory(category.id, { product_ids: [] }))).toMatchObject(refused);
});

test('a product has 100 variations at most, however they came to it', async () => {
  const parent = await catalog.product({ name: 'Shirt' }, staff);
  const shirts = await Promise.all(many(100, (n) => catalog.product({ name: `Shirt ${n}`, parent_id: parent.id }, staff)));
  const full = { status: 422, errors: { parent_id: ['must not have more than 100 variations'] } };
  const single = await catalog.product({ name: 'Another' }, staff);
  expect(await catalog.refusal(catalog.product({ name: 'x', parent_id: parent.id }, staff))).toMatchObject(full);
  expect(await catalog.refusal(updateProduct(single.id, { parent_id: parent.id }))).toMatchObject(full);
  await updateProduct(shirts[0].id, { parent_id: parent.id, price: 3 });
  await catalog.byId('DeleteProduct', shirts[0].id, staff);
  await catalog.product({ name: 'x', parent_id: parent.id }, staff);
  expect(await catalog.refusal(catalog.byId('RestoreProduct', shirts[0].id, staff))).toMatchObject(full);
});
