import { describe, expect, test } from '@jest/globals';
import type { Json } from '@store/testbed';
import { untilAlone } from '@store/testbed/until';
import { catalog, key, keyOf, shareCatalog, staff, storeId } from '../../test/catalog-under-test.ts';

shareCatalog();

const upsert = (products: unknown, caller = key) => catalog.answer('BulkUpsert', { products } as object, caller);
const stored = () =>
  catalog.run<Json>(
    'select id, sku, name, price, stock, search_text, updated_at::text from catalog.products where store_id = $1 order by id',
    [storeId],
  );

describe('POST /products/bulk_upsert', () => {
  test('rows are created or updated by sku; 200 with the three counts if all succeeded', async () => {
    await catalog.product({ name: 'Old', sku: 'B' }, key);
    const { status, json } = await upsert([
      { sku: 'A', name: 'First', price: '1.005' },
      { sku: 'B', name: 'Second', current_stock: 40, id: 7 },
    ]);
    expect(status).toBeUndefined();
    expect(json).toEqual({ created: 1, updated: 1, failed: 0, created_skus: ['A'], updated_skus: ['B'], errors: [] });
    expect(await stored()).toMatchObject([
      { sku: 'B', name: 'Second', stock: '0.000' },
      { sku: 'A', name: 'First', price: '1.01', stock: '0.000' },
    ]);
  });

  test('row 44: bad rows fail by themselves, good ones are saved, with a 207', async () => {
    const bad: [row: unknown, sku: string | null, error: string][] = [
      [null, null, 'Row must be an object'],
      [5, null, 'Row must be an object'],
      ['x', null, 'Row must be an object'],
      [[], null, 'Row must be an object'],
      [{ sku: '', name: 'a' }, null, "Sku can't be blank"],
      [{ sku: '  ', name: 'b' }, null, "Sku can't be blank"],
      [{}, null, "Sku can't be blank"],
      [{ name: 'no sku' }, null, "Sku can't be blank"],
      [{ sku: { a: 1 }, name: 'c' }, null, 'Sku is invalid'],
      [{ sku: 'no name' }, 'no name', "Name can't be blank"],
      [{ sku: 'dear', name: 'd', price: 'dear' }, 'dear', 'Price is not a number'],
      [{ sku: 'neg', name: 'e', price: -1 }, 'neg', 'Price must be greater than or equal to 0'],
      [{ sku: 'brand', name: 'f', brand_id: 999999 }, 'brand', 'Brand id must exist'],
      [{ sku: 'nul', name: 'a\u0000b' }, 'nul', 'Name contains invalid characters'],
      [{ sku: 'long', name: 'x'.repeat(256) }, 'long', 'Name is too long (maximum is 255 characters)'],
      [{ sku: 'bool', name: 'g', active: 'maybe' }, 'bool', 'Active must be true or false'],
      [{ sku: 'date', name: 'h', expiry_date: '2026-02-30' }, 'date', 'Expiry date must be a valid date'],
      [{ sku: 'list', name: ['i'] }, 'list', 'Name is invalid'],
    ];
    const { status, json } = await upsert([{ sku: 'good', name: 'Good' }, ...bad.map(([row]) => row), { sku: 123, name: 'number' }]);
    expect(status).toBe(207);
    expect(json).toMatchObject({ created: 2, updated: 0, failed: bad.length, created_skus: ['good', '123'] });
    expect(json.errors).toEqual(bad.map(([, sku, error], n) => ({ index: n + 1, sku, errors: [error] })));
    expect((await stored()).map((row) => row.sku).sort()).toEqual(['123', 'good']);
  });

  test('D47: an empty price or type of an existing product fails the row', async () => {
    await upsert([{ sku: 'B-1', name: 'Lantern', price: 5.5, product_type: 'bundle' }]);
    for (const row of [{ price: null }, { price: '' }, { product_type: null }, { unit_type: ' ' }, { name: null }]) {
      const { status, json } = await upsert([{ sku: 'B-1', ...row }]);
      const field = Object.keys(row)[0]!.replace('_', ' ');
      expect(status).toBe(207);
      expect(json.errors[0].errors).toEqual([`${field[0]!.toUpperCase()}${field.slice(1)} can't be blank`]);
    }
    expect(await catalog.list('', key)).toMatchObject({ products: [{ price: '5.50', product_type: 'bundle', unit_type: 'unit' }] });
    const { json } = await upsert([
      { sku: 'B-2', name: 'New', price: null },
      { sku: 'B-2', price: '' },
    ]);
    expect(json).toMatchObject({ created: 1, failed: 1, errors: [{ index: 1, errors: ["Price can't be blank"] }] });
  });

  test("a row's errors are reported together, those of a new product too", async () => {
    const row = { sku: 'all', price: 'dear', active: 'maybe', brand_id: 999999 };
    const errors = ['Price is not a number', 'Active must be true or false', 'Brand id must exist', "Name can't be blank"];
    expect((await upsert([row])).json.errors).toEqual([{ index: 0, sku: 'all', errors }]);
  });

  test.each<[string, object]>([
    ['a NUL in the sku', { sku: 'a\u0000b', name: 'n' }],
    ['a sku that is too long', { sku: 'x'.repeat(3_000), name: 'n' }],
    ['half of a surrogate pair in the sku', { sku: 'a\ud800', name: 'n' }],
    ['a NUL in the external id', { sku: 'a', name: 'n', external_id: 'a\u0000b' }],
    ['a brand that no number can be', { sku: 'a', name: 'n', brand_id: 1e30 }],
    ['a brand in words', { sku: 'a', name: 'n', brand_id: 'Acme' }],
  ])('%s fails its row alone, and no statement', async (_what, row) => {
    const { status, json } = await upsert([row, { sku: 'good', name: 'n' }]);
    expect([status, json.created, json.failed]).toEqual([207, 1, 1]);
  });

  test('D68: all rows failing is 207 too, and nothing is saved or emitted', async () => {
    const { status, json } = await upsert([{ sku: 'a' }, { name: 'b' }]);
    expect(status).toBe(207);
    expect(json).toMatchObject({ created: 0, updated: 0, failed: 2 });
    expect(await catalog.events(storeId)).toEqual([]);
  });

  test('D69: alone, 1,000 rows take 8 statements and 2 per 100; again, no event', async () => {
    const products = Array.from({ length: 1000 }, (_, n) => ({ sku: `s${n}`, name: `Product ${n}`, price: n / 100, pack_quantity: 6 }));
    await untilAlone(storeId);
    // Two of them ask how much of the store waits to be published (D258).
    expect(await catalog.statementsOf(() => upsert(products))).toBeLessThanOrEqual(8 + 2 * 9);
    const before = await stored();
    expect(await catalog.events(storeId)).toHaveLength(1000);
    catalog.clock.advance(1000);
    const { status, json } = await upsert(products);
    expect(status).toBeUndefined();
    expect(json).toMatchObject({ created: 0, updated: 1000, failed: 0 });
    expect(await stored()).toEqual(before);
    expect(await catalog.events(storeId)).toHaveLength(1000);
  });

  test('D66: rows of one sku are applied in order, with one event and in both lists', async () => {
    const { json } = await upsert([
      { sku: 'A', name: 'First', price: 1 },
      { sku: ' A ', price: 2 },
      { sku: 'a', name: 'Another' },
    ]);
    expect(json).toMatchObject({ created: 2, updated: 1, created_skus: ['A', 'a'], updated_skus: ['A'] });
    expect((await catalog.events(storeId)).map((event) => [event.name, event.body.data.sku, event.body.data.price])).toEqual([
      ['product.created', 'A', '2.00'],
      ['product.created', 'a', '0.00'],
    ]);
    const named = { created_skus: ['B'], updated_skus: [], errors: [{ index: 0, sku: 'B' }] };
    expect((await upsert([{ sku: 'B' }, { sku: 'B', name: 'Named' }])).json).toMatchObject(named);
  });

  test('D63, D64: inactive products and variations are matched, deleted ones never', async () => {
    const gone = await catalog.product({ name: 'Gone', sku: 'gone' }, staff);
    await catalog.call('DeleteProduct', { id: String(gone.id) }, staff);
    await catalog.product({ name: 'Asleep', sku: 'asleep', active: false }, staff);
    const parent = await catalog.product({ name: 'Shirt' }, staff);
    const large = await catalog.product({ name: 'Large', sku: 'large', parent_id: parent.id }, staff);
    const { json } = await upsert([
      { sku: 'gone', name: 'Back' },
      { sku: 'asleep', price: 3 },
      { sku: 'large', price: 4 },
    ]);
    expect(json).toMatchObject({ created_skus: ['gone'], updated_skus: ['asleep', 'large'] });
    expect(await catalog.get(large.id, key)).toMatchObject({ price: '4.00' });
    expect((await catalog.get(parent.id, key)).variations[0].price).toBe('4.00');
    expect(await catalog.refusal(catalog.get(gone.id, key))).toEqual({ status: 404, error: 'Product not found' });
  });

  test('what was not sent stays; D158: what only staff write is ignored, from staff too', async () => {
    await upsert([{ sku: 'A', name: 'First', description: 'Long', cost: 2 }]);
    await upsert([
      { sku: 'A', price: 9, primary_image_url: 'https://example.org/a.png', category_ids: [1], exclude_from_promotions: true },
    ]);
    const [row] = await stored();
    const kept = { name: 'First', description: 'Long', cost: '2.00', exclude_from_promotions: false, categories: [] };
    expect(await catalog.get(Number(row.id), key)).toMatchObject({ ...kept, price: '9.00' });
    const update = (await catalog.events(storeId)).at(-1)!;
    expect(update.audit).toMatchObject({ action: 'product.update', before: { price: '0.00' }, after: { price: '9.00' } });
    expect(update.audit!.after).toEqual({ price: '9.00' });
    const theirs = await catalog.product({ name: 'Theirs' }, keyOf(storeId + 1000));
    for (const parent_id of [theirs.id, 999999, 'x'])
      expect((await upsert([{ sku: 'A', name: 'a', parent_id, exclude_from_promotions: true }], staff)).json.failed).toBe(0);
    expect((await catalog.list('', key)).products).toMatchObject([{ sku: 'A', exclude_from_promotions: false }]);
  });

  test('D185: a repeated Idempotency-Key gets the same 207, and nothing is saved twice', async () => {
    const once = keyOf(storeId, { idempotency: { key: 'k', hash: Buffer.alloc(32, 7) } });
    const rows = [{ sku: 'A', name: 'a' }, { sku: 'B' }];
    const first = await upsert(rows, once);
    expect(first.status).toBe(207);
    expect(await upsert(rows, once)).toEqual({ ...first, headers: { 'idempotency-replayed': 'true' } });
    expect(await catalog.events(storeId)).toHaveLength(1);
  });

  test('D70: concurrent upserts of the same new skus create one product each', async () => {
    const brand = await catalog.brand('Acme', staff);
    const products = Array.from({ length: 60 }, (_, n) => ({ sku: `s${n}`, name: `Product ${n}`, brand_id: brand.id }));
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => upsert((n % 2 ? products : products.toReversed()).map((row) => ({ ...row, price: n })))),
    );
    for (const { status, json } of answers) {
      expect(status).toBeUndefined();
      expect(json.created + json.updated).toBe(60);
    }
    expect(answers.reduce((sum, { json }) => sum + json.created, 0)).toBe(60);
    const rows = await stored();
    expect(rows).toHaveLength(60);
    for (const row of rows) expect(row.search_text).toContain('acme');
    const events = await catalog.events(storeId);
    expect(events.filter((event) => event.name === 'product.created')).toHaveLength(60);
    expect((await catalog.list('', key)).pagination.total_count).toBe(60);
    expect(catalog.lines).toEqual([]);
  });
});
