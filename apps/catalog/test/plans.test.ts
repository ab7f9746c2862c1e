/** What keeps a list quick on a large catalogue: the plan of its page, not a stopwatch. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from '@store/db';
import { cursorOf } from '@store/input';
import { plansOf, readsOf } from '@store/testbed';
import { isCluster } from '@store/testbed/one-server';
import { type CatalogUnderTest, keyOf, startCatalog } from './catalog-under-test.ts';

/** What one server has and a cluster has not: the plans of its own rows. */
const onOneServer = isCluster ? test.skip : test;

let catalog: CatalogUnderTest;
const products = 20_000;
const atOnce = 2_000;

beforeAll(async () => {
  catalog = await startCatalog();
  await catalog.run(`
    insert into catalog.brands (store_id, name, created_at, updated_at) select 1, 'Brand ' || n, now(), now() from generate_series(1, 200) n`);
  await catalog.run(`
    insert into catalog.categories (store_id, name, slug, created_at, updated_at) select 1, 'c' || n, 'c' || n, now(), now() from generate_series(1, 200) n`);
  // In parts: on a busy machine all at once takes longer than a statement may.
  for (let first = 1; first <= products; first += atOnce)
    await catalog.run(
      `with made as (
         insert into catalog.products (store_id, name, sku, barcode, additional_barcodes, brand_id, search_text, created_at, updated_at)
           select 1, md5(n::text), 's' || n, 'bs' || n, case n when 7 then '[{"code": "extra", "label": null}]'::jsonb else '[]' end, (select min(id) from catalog.brands) + n % 200, md5(n::text), now(), '2026-11-01'::timestamptz + n * interval '1 s'
           from generate_series($1::int, $2::int) n returning id)
       insert into catalog.product_categories (store_id, product_id, category_id) select 1, id, (select min(id) from catalog.categories) + id % 200 from made`,
      [first, first + atOnce - 1],
    );
  await catalog.run(`
    insert into catalog.product_weight_presets (store_id, product_id, weight, barcode) select 1, id, 1, 'w' || sku from catalog.products where stock = 0`);
  await catalog.run('analyze');
}, 120_000);
afterAll(() => catalog.stop());

const plans = (query: Record<string, string>) => plansOf(catalog.db, () => catalog.call('ListProducts', query, keyOf(1)));

onOneServer('the plain list walks its index to the end of the page and counts nothing', async () => {
  const [plan, ...others] = await plans({});
  expect(others).toEqual([]);
  expect(plan).toMatch(/Index Scan using products_listed on products/);
  expect(plan).not.toMatch(/Seq Scan on products|Sort Key: p_1.name/);
});

test.each([
  ['search', { search: 'abcd' }, /products_search/],
  ['brand', { brand: 'Brand 7' }, /products_brand/],
  ['category', { category: 'c7' }, /product_categories_in_order/],
  ['updated_since', { updated_since: '2026-11-01T05:33:00Z' }, /products_updated/],
  ['sku', { sku: 's7,s8' }, /products_sku/],
  ['barcode', { barcode: 'bs7,extra' }, /products_barcode.*products_additional_barcodes.*product_weight_presets_code/s],
])('%s finds its products by an index and reads no others', async (_name, query, index) => {
  for (const plan of (await plans(query)).filter((plan) => plan.includes('products'))) {
    expect(plan).toMatch(index);
    expect(plan).not.toMatch(/Seq Scan on products/);
  }
});

/** Ways to read what a search finds, by what PostgreSQL may not do. */
const ways = {
  'by the index of words': 'enable_seqscan',
  'by the rows of the store': 'enable_bitmapscan',
};

onOneServer.each(['abc', '0', 'ABCD', '%'])('a search for %s finds the same rows in the same order by either index', async (search) => {
  const [statement] = await readsOf(catalog.db, () => catalog.call('ListProducts', { search, per_page: '100' }, keyOf(1)));
  const answers = Object.entries(ways).map(([way, setting]) =>
    catalog.db.unit(1, async (em) => {
      await sql(em, `set local ${setting} = off`);
      const plan = await sql<{ 'QUERY PLAN': string }>(em, `explain ${statement!.text}`, statement!.values);
      return { way, plan: plan.map((row) => row['QUERY PLAN']).join('\n'), rows: await sql(em, statement!.text, statement!.values) };
    }),
  );
  const [byWords, byStore] = await Promise.all(answers);
  if (/[a-z0-9]{3}/.test(search)) expect(byWords!.plan).toMatch(/Bitmap Index Scan on products_search/);
  expect(byStore!.plan).not.toMatch(/products_search/);
  expect(byStore!.rows).toEqual(byWords!.rows);
});

/** Milliseconds on a quiet machine; other tests run beside this one. */
const aMomentMs = 10_000;

test('the largest search text that a client can send is answered at once', async () => {
  for (const search of ['x'.repeat(10_000), '(a+)+$'.repeat(1_000), '%'.repeat(10_000), '_\\'.repeat(5_000)]) {
    const started = performance.now();
    expect((await catalog.call('ListProducts', { search }, keyOf(1))).json.products).toEqual([]);
    expect(performance.now() - started).toBeLessThan(aMomentMs);
  }
});

onOneServer("a list by cursors walks its own index and reads no other store's products", async () => {
  await catalog.run(`
    insert into catalog.products (store_id, name, search_text, created_at, updated_at) select 2, name, '', created_at, updated_at from catalog.products`);
  await catalog.run('analyze catalog.products');
  for (const after of ['', cursorOf(2, { id: 10_000, createdAt: new Date('2026-11-20') })]) {
    const [page] = await plans({ after });
    expect(page).toMatch(/Index Scan using products_walked on products/);
    expect(page).not.toMatch(/Seq Scan on products|Sort Key: p_1.created_at/);
  }
});
