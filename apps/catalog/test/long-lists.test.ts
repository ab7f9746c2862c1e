/** D260: no answer without pages is built whole above 4 MB: a longer list ends, and says so; a product's barcodes are limited. */
import { expect, test } from '@jest/globals';
import { messageType } from '@store/contract';
import type { Reply } from '@store/rpc';
import type { Json } from '@store/testbed';
import { listCategories } from '../src/categories/list-categories.ts';
import { catalog, shareCatalog, staff, storeId, updateProduct } from './catalog-under-test.ts';

shareCatalog();

const answerMax = 4_000_000;
const treeType = messageType('store.catalog.v1.ListCategoriesResponse');
/** The answer's list, whether it was cut, and that it is not too long. */
async function listed(rpc: string, list: string) {
  const { text, json, headers } = await catalog.call(rpc, {}, staff);
  expect(text.length).toBeLessThan(answerMax);
  return { rows: json[list], isCut: headers['x-truncated'] === 'true' };
}

test('D44: the list of brands ends at 2.5 MB or at 500, and X-Truncated says so', async () => {
  const plant = (brands: number, bytes: number) =>
    catalog.run(
      `insert into catalog.brands (store_id, name, description, created_at, updated_at)
       select $1, lpad(n::text, 5, '0') || $3::int, repeat('x', $3::int), now(), now() from generate_series(1, $2::int) n`,
      [storeId, brands, bytes],
    );
  await plant(400, 10_000);
  const { rows, isCut } = await listed('ListBrands', 'brands');
  expect([rows.length > 200 && rows.length < 260, rows[0].name, isCut]).toEqual([true, '0000110000', true]);
  await catalog.run('delete from catalog.brands where store_id = $1', [storeId]);
  await plant(500, 1);
  expect((await listed('ListBrands', 'brands')).isCut).toBe(false);
  await plant(1, 2);
  expect(await listed('ListBrands', 'brands')).toMatchObject({ rows: { length: 500 }, isCut: true });
});

test('the low-stock list of products with many barcodes is cut with X-Truncated', async () => {
  await catalog.run(
    `insert into catalog.products (store_id, name, search_text, price, stock, stock_version, low_stock_threshold, additional_barcodes, created_at, updated_at)
     select $1, 'Low ' || n, '', 1, 0, 0, 1, (select jsonb_agg(jsonb_build_object('code', repeat('c', 255), 'label', repeat('l', 255)))
       from generate_series(1, 100)), now(), now() from generate_series(1, 100) n`,
    [storeId],
  );
  const { rows, isCut } = await listed('ListLowStock', 'products');
  expect([rows.length > 40 && rows.length < 100, isCut]).toEqual([true, true]);
});

test('an old tree of 1,000 levels, 130 MB of full names, ends at 2.5 MB', async () => {
  await catalog.run(
    `with recursive chain as (select nextval('catalog.categories_id_seq') as id, 1 as n, null::bigint as parent_id, '{}'::bigint[] as above
       union all select nextval('catalog.categories_id_seq'), n + 1, id, above || id from chain where n < 1000)
     insert into catalog.categories (id, store_id, name, slug, parent_id, ancestor_ids, created_at, updated_at) overriding system value
     select id, $1, 'Category with a name of some length ' || n, 'nested-' || n, parent_id, above, now(), now() from chain`,
    [storeId],
  );
  const { text, json, headers } = await catalog.call('ListCategories', { all: 'true' }, staff);
  expect(text.length > 1_000_000 && text.length < answerMax).toBe(true);
  expect([json.categories.length, headers]).toEqual([1, { 'x-truncated': 'true' }]);
});

test('a large tree is sent in messages of about 50 categories', async () => {
  await catalog.run(
    `with tops as (insert into catalog.categories (store_id, name, slug, created_at, updated_at)
       select $1, 'Top ' || n, 'top-' || n, now(), now() from generate_series(1, 40) n returning id)
     insert into catalog.categories (store_id, name, slug, parent_id, ancestor_ids, created_at, updated_at)
     select $1, 'Below ' || n, 'below-' || id || '-' || n, id, array[id], now(), now() from tops, generate_series(1, 9) n`,
    [storeId],
  );
  const call = { caller: staff, deadlineMs: Date.now() + 60_000, rpc: '' };
  const { options } = (await listCategories(catalog.app, { all: 'true' }, call)) as Reply<unknown>;
  const sizes: number[] = [];
  for (const bytes of options.rest as Iterable<Buffer>) {
    const { categories } = treeType.toObject(treeType.decode(bytes), { arrays: true }) as Json;
    sizes.push(categories.reduce((sum: number, top: Json) => sum + 1 + top.subcategories.length, 0));
  }
  expect(sizes).toEqual(Array(8).fill(50));
});

test('a product and its variations have at most 500 additional barcodes, also restored', async () => {
  const codes = (count: number) => Array.from({ length: count }, (_, n) => ({ code: `${n}` }));
  const parent = await catalog.product({ name: 'Lantern', additional_barcodes: codes(100) }, staff);
  const variation = (count: number) => ({ name: 'Large', parent_id: parent.id, additional_barcodes: codes(count) });
  const created: Json[] = [];
  for (let n = 0; n < 4; n++) created.push(await catalog.product(variation(100), staff));
  const refused = { additional_barcodes: ['must not be more than 500 of a product and its variations together'] };
  const isRefused = async (work: Promise<unknown>) => expect(await catalog.refusal(work)).toMatchObject({ status: 422, errors: refused });
  await isRefused(catalog.product(variation(1), staff));
  await catalog.product(variation(0), staff);
  await catalog.byId('DeleteProduct', created[0].id, staff);
  const restore = () => catalog.byId('RestoreProduct', created[0].id, staff);
  const another = await catalog.product(variation(100), staff);
  await isRefused(restore());
  await updateProduct(another.id, { additional_barcodes: codes(1) });
  await isRefused(restore());
  await updateProduct(another.id, { additional_barcodes: [] });
  expect((await restore()).product.id).toBe(created[0].id);
});
