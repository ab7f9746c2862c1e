/** D200: a list in a body has an end, beyond which the request is refused by name and nothing is saved. */
import { expect, test } from '@jest/globals';
import { catalog, shareCatalog, staffOf } from './catalog-under-test.ts';

const staff = staffOf(1);

shareCatalog();

const many = <T>(length: number, item: (n: number) => T) => Array.from({ length }, (_, n) => item(n));
const barcode = (n: number) => ({ code: `${1_000 + n}` });
const preset = (n: number) => ({ weight: n + 1, barcode: `2${n}` });

test.each([
  ['category_ids', 100, (n: number) => n + 1],
  ['revenue_center_ids', 100, (n: number) => n + 1],
  ['additional_barcodes', 100, barcode],
  ['weight_presets', 50, preset],
] as const)('%s of a product: more than %i are a 422, on POST and on PATCH', async (name, max, item) => {
  const { id } = await catalog.product({ name: 'Lantern' }, staff);
  const product = { name: 'x', [name]: many<unknown>(max + 1, item) };
  const before = await catalog.events(1);
  const error = { status: 422, errors: { [name]: [`is too long (maximum is ${max})`] } };
  expect(await catalog.refusal(catalog.body('CreateProduct', { product }, staff))).toMatchObject(error);
  expect(await catalog.refusal(catalog.body('UpdateProduct', { product }, staff, { id }))).toMatchObject(error);
  expect(await catalog.events(1)).toEqual(before);
});

test('lists at their limits are accepted, and the event is far below its maximum size', async () => {
  const longest = '\uffff'.repeat(255);
  const lists = {
    additional_barcodes: many(100, () => ({ code: longest, label: longest })),
    weight_presets: many(50, () => ({ weight: 1, label: longest, barcode: longest, price: 1 })),
    category_ids: await Promise.all(many(100, async (n) => (await catalog.category({ name: `C ${n}` }, staff)).id)),
  };
  const [event] = await catalog.eventsOf(1, () =>
    catalog.product({ name: longest, description: '\uffff'.repeat(10_000), ...lists }, staff),
  );
  expect(event!.body.data.additional_barcodes).toHaveLength(100);
  expect(event!.body.data.categories).toHaveLength(100);
  expect(Buffer.byteLength(event!.text!)).toBeLessThan(700_000);
});

test.each([
  ['CreateCategory', { category: { name: 'C', product_ids: many(10_001, (n) => n + 1) } }, 'Product ids is too long (maximum is 10000)'],
  [
    'CreateCategory',
    { category: { name: 'C', revenue_center_ids: many(101, (n) => n + 1) } },
    'Revenue center ids is too long (maximum is 100)',
  ],
  [
    'CreatePromotion',
    { promotion: { name: 'P', discount_type: 'percentage', value: 1, product_ids: many(1_001, (n) => n + 1) } },
    'Product ids is too long (maximum is 1000)',
  ],
])('%s with a longer list is a 422', async (rpc, body, error) => {
  expect(await catalog.refusal(catalog.body(rpc, body, staff))).toMatchObject({ status: 422, errors: [error] });
});

test('a list cannot replace the products of a category with more than its maximum', async () => {
  const category = await catalog.category({ name: 'Large' }, staff);
  await catalog.run(
    `with p as (insert into catalog.products (store_id, name, created_at, updated_at) select 1, 'p' || n, now(), now() from generate_series(1, 10001) n returning id)
     insert into catalog.product_categories (store_id, category_id, product_id) select 1, $1, id from p`,
    [category.id],
  );
  expect(
    await catalog.refusal(catalog.body('UpdateCategory', { category: { product_ids: [] } }, staff, { id: category.id })),
  ).toMatchObject({
    status: 422,
    errors: ['Product ids cannot replace more than 10000'],
  });
});

test('a product has 100 variations at most, however they came to it', async () => {
  const parent = await catalog.product({ name: 'Shirt' }, staff);
  const shirts = await Promise.all(many(100, (n) => catalog.product({ name: `Shirt ${n}`, parent_id: parent.id }, staff)));
  const full = { status: 422, errors: { parent_id: ['must not have more than 100 variations'] } };
  const single = await catalog.product({ name: 'Another' }, staff);
  expect(await catalog.refusal(catalog.product({ name: 'x', parent_id: parent.id }, staff))).toMatchObject(full);
  expect(
    await catalog.refusal(catalog.body('UpdateProduct', { product: { parent_id: parent.id } }, staff, { id: single.id })),
  ).toMatchObject(full);
  await catalog.body('UpdateProduct', { product: { parent_id: parent.id, price: 3 } }, staff, { id: shirts[0].id });
  await catalog.call('DeleteProduct', { id: String(shirts[0].id) }, staff);
  await catalog.product({ name: 'x', parent_id: parent.id }, staff);
  expect(await catalog.refusal(catalog.call('RestoreProduct', { id: String(shirts[0].id) }, staff))).toMatchObject(full);
});
