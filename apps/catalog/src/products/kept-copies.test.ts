/**
 * After any history of changes, several at once: what a product's row keeps of other rows is what those rows say (D51, note 0051), lists
 * and totals that are read from an index or kept are what a count says (D43, D192), and a product's last event shows what GET shows.
 */
import { expect, test } from '@jest/globals';
import { searchSeparator, sql } from '@store/db';
import { Problem } from '@store/problem';
import { type Json, lockWaits } from '@store/testbed';
import { holds } from '@store/testbed/holds';
import { isCluster } from '@store/testbed/one-server';
import fc from 'fast-check';
import {
  catalog,
  key,
  newStore,
  productOf,
  shareCatalog,
  staff,
  storeId,
  updateCategory,
  updateProduct,
} from '../../test/catalog-under-test.ts';
import { announcePromotions } from '../promotions/announce-promotions.ts';
import { foldOnce } from './fold-totals.ts';

/** What one server has and a cluster has not: triggers. */
const onOneServer = isCluster ? test.skip : test;

const noon = Date.parse('2026-11-20T12:00:00.000Z');
const minuteMs = 60_000;

shareCatalog();

const links = ['categories', 'assign', 'nest', 'lift', 'brand', 'remove', 'restore', 'drop category'] as const;
const kinds = {
  prices: [...links, 'price', 'exclude', 'move category', 'promote products', 'promote category', 'change promotion'],
  'running promotions': [...links, 'price', 'promote category', 'change promotion', 'end promotion', 'later', 'announce'],
  names: [...links, 'bulk', 'rename brand', 'drop brand', 'rename category', 'move category'],
  lists: [...links, 'create', 'bulk', 'rename', 'switch', 'fold'],
} as const;
type Kind = (typeof kinds)[keyof typeof kinds][number];
const stepOf = (among: readonly Kind[]) =>
  fc.record({
    kind: fc.constantFrom(...among),
    product: fc.nat(5),
    other: fc.nat(3),
    category: fc.nat(3),
    below: fc.option(fc.nat(3)),
    among: fc.subarray([0, 1, 2, 3]),
    brand: fc.option(fc.nat(1)),
    name: fc.constantFrom('a', 'b', 'B', 'ä', 'z'),
    flag: fc.boolean(),
    value: fc.integer({ min: 1, max: 90 }),
    startsIn: fc.integer({ min: -1, max: 2 }),
  });
type Step = ReturnType<typeof stepOf> extends fc.Arbitrary<infer T> ? T : never;

test.each(Object.entries(kinds))(
  'D43: copies, lists, totals and events agree with the rows after changes of %s',
  async (_, among) => {
    const histories = fc.array(stepOf(among), { minLength: 4, maxLength: 24 });
    const property = fc.asyncProperty(histories, fc.integer({ min: 1, max: 6 }), async (steps, atOnce) => {
      newStore();
      catalog.clock.set(new Date(noon));
      const take = await openShop();
      for (let from = 0; from < steps.length; from += atOnce) {
        await Promise.all(steps.slice(from, from + atOnce).map(take));
        expect(await wrongCopies()).toEqual([]);
      }
      await announcePromotions(catalog.app);
      await expectLists();
      await expectEvents();
    });
    await holds(property, { numRuns: 40 });
    expect(catalog.lines).toEqual([]);
  },
  120_000,
);

/** A store whose products, categories, brands and promotions are known by their position; runs one step. */
async function openShop(): Promise<(step: Step) => Promise<void>> {
  let names = 0;
  const unused = (word: string) => `${word} ${++names}`;
  const newBrand = async () => Number((await catalog.brand(unused('Brand'), staff)).id);
  const newCategory = async (parent_id: number | null = null) =>
    Number((await catalog.category({ name: unused('Category'), parent_id }, staff)).id);
  const newProduct = async (fields: object) => Number((await catalog.product({ name: unused('Product'), price: 10, ...fields }, staff)).id);
  const brands = [await newBrand(), await newBrand()];
  const categories = [await newCategory()];
  categories.push(await newCategory(categories[0]), await newCategory());
  categories.push(await newCategory(categories[1]));
  const shown = { brand_id: brands[0], category_ids: [categories[0], categories[3]] };
  const products = [await newProduct({ sku: 'S0', ...shown }), await newProduct({ sku: 'S1', ...shown })];
  products.push(await newProduct({ sku: 'S2', parent_id: products[0] }), await newProduct({ sku: 'S3' }));
  const promotions: number[] = [];
  const promote = async (fields: object) => {
    promotions.push(Number((await catalog.promotion({ name: unused('P'), ...fields }, staff)).id));
  };
  await promote({ value: 50, category_id: categories[0] });

  const run = (step: Step): Promise<unknown> => {
    const { value, name, flag } = step;
    const id = products[step.product % products.length]!;
    const categoryId = categories[step.category]!;
    const brandId = brands[value % 2]!;
    const promotion = promotions[value % promotions.length]!;
    const category_ids = step.among.map((n) => categories[n]!);
    const starts_at = new Date(catalog.clock.now().getTime() + step.startsIn * minuteMs);
    const change = (product: object) => updateProduct(id, product);
    const changeCategory = (category: object) => updateCategory(categoryId, category);
    const verbs: Record<Kind, () => Promise<unknown>> = {
      create: async () => products.push(await newProduct({ name, active: flag, category_ids })),
      // A sku of the first products, or one that is new.
      bulk: () => {
        const row = { sku: `S${value % 8}`, name, active: flag, brand_id: step.brand === null ? null : brands[step.brand] };
        return catalog.body('BulkUpsert', { products: [row] }, staff);
      },
      rename: () => change({ name }),
      switch: () => change({ active: flag }),
      price: () => change({ price: value }),
      exclude: () => change({ exclude_from_promotions: flag }),
      categories: () => change({ category_ids }),
      brand: () => change({ brand_id: step.brand === null ? null : brands[step.brand] }),
      nest: () => change({ parent_id: products[step.other] }),
      lift: () => change({ parent_id: null }),
      remove: () => catalog.byId('DeleteProduct', id, staff),
      restore: () => catalog.byId('RestoreProduct', id, staff),
      assign: () => changeCategory({ product_ids: step.among.map((n) => products[n]) }),
      'move category': () => changeCategory({ position: value % 3, parent_id: step.below === null ? null : categories[step.below] }),
      'rename category': () => changeCategory({ name: unused(name), slug: `slug-${names}` }),
      'drop category': async () => {
        await catalog.byId('DeleteCategory', categoryId, staff);
        categories[step.category] = await newCategory();
      },
      'rename brand': () => catalog.body('UpdateBrand', { brand: { name: unused(name) } }, staff, { id: brandId }),
      'drop brand': async () => {
        await catalog.byId('DeleteBrand', brandId, staff);
        brands[value % 2] = await newBrand();
      },
      'promote products': () => promote({ value, starts_at, product_ids: [id] }),
      'promote category': () => promote({ value, starts_at, category_id: categoryId }),
      'change promotion': () => catalog.body('UpdatePromotion', { promotion: { value, product_ids: [id] } }, staff, { id: promotion }),
      'end promotion': () => catalog.byId('DeletePromotion', promotion, staff),
      later: async () => catalog.clock.advance(minuteMs),
      announce: () => announcePromotions(catalog.app),
      fold: () => foldOnce(catalog.db),
    };
    return verbs[step.kind]();
  };
  /** What another step took away, or what cannot be, is refused; nothing else may go wrong. */
  return async (step) => {
    await run(step).catch((error: unknown) => {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
    });
  };
}

/** Products whose kept columns differ from what a join finds. */
function wrongCopies(): Promise<Json[]> {
  return catalog.run(
    `select * from (
       select p.id, p.brand_name, b.name as brand, p.category_list, coalesce((
           select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'slug', c.slug) order by c.position, c.name, c.id)
           from catalog.product_categories pc join catalog.categories c on c.id = pc.category_id and c.store_id = $1
             where pc.store_id = $1 and pc.product_id = p.id), '[]') as categories,
         p.search_text, lower(concat_ws($2, p.name, p.sku, p.barcode,
           (select string_agg(w.barcode, $2) from catalog.product_weight_presets w where w.store_id = $1 and w.product_id = p.id), b.name, parent_b.name)) as text
       from catalog.products p left join catalog.brands b on b.store_id = $1 and b.id = p.brand_id
         left join catalog.products parent on parent.store_id = $1 and parent.id = p.parent_id
         left join catalog.brands parent_b on parent_b.store_id = $1 and parent_b.id = parent.brand_id
       where p.store_id = $1 and p.deleted_at is null) kept
     where (brand_name, category_list, search_text) is distinct from (brand, categories, text)`,
    [storeId, searchSeparator],
  );
}

/** The whole list and that of each category, its subcategories included, against rows that are counted and sorted without an index. */
async function expectLists(): Promise<void> {
  const rows = await catalog.run<{ slug: string | null; ids: number[] }>(
    `with listed as (select id, name from catalog.products where store_id = $1 and active and deleted_at is null and parent_id is null)
     select null as slug, coalesce(array_agg(id::int order by name, id), '{}') as ids from listed
     union all select root.slug, coalesce((select array_agg(id::int order by name, id) from listed p where exists (
         select 1 from catalog.product_categories pc join catalog.categories c on c.id = pc.category_id and c.store_id = $1
         where pc.store_id = $1 and pc.product_id = p.id and (c.id = root.id or root.id = any (c.ancestor_ids)))), '{}')
       from catalog.categories root where root.store_id = $1`,
    [storeId],
  );
  for (const { slug, ids } of [...rows, { slug: 'unknown', ids: [] }]) {
    const listed: number[] = [];
    for (let page = 1; page === 1 || listed.length === (page - 1) * 2; page++) {
      const query = `per_page=2&page=${page}${slug === null ? '' : `&category=${slug}`}`;
      const { products, pagination } = await catalog.list(query, key);
      expect([slug, page, pagination.total_count]).toEqual([slug, page, ids.length]);
      listed.push(...products.map((product: Json) => product.id));
    }
    expect([slug, listed]).toEqual([slug, ids]);
  }
}

/** What of a product has no event of its own: its variations have theirs (D142), and categories change places without one. */
const comparable = ({ variations, has_variations, current_stock, in_stock, updated_at, categories, ...shown }: Json) => ({
  ...shown,
  categories: categories.toSorted((a: Json, b: Json) => a.id - b.id),
});

async function expectEvents(): Promise<void> {
  const events = (await catalog.events(storeId)).filter(({ body }) => body?.resource_type === 'Product');
  const last = new Map(events.map((event) => [productOf(event), event]));
  const rows = await catalog.run<{ id: string; deleted: boolean }>(
    'select id, deleted_at is not null as deleted from catalog.products where store_id = $1',
    [storeId],
  );
  for (const { id, deleted } of rows) {
    const event = last.get(Number(id))!;
    if (deleted) expect(event.name).toBe('product.deleted');
    else expect(comparable(event.body.data)).toEqual(comparable(await catalog.get(Number(id), { ...staff, scopes: new Set() })));
  }
}

onOneServer('a product renamed while it is linked to a category is listed by its new name', async () => {
  const { id } = await catalog.product({ name: 'old' }, staff);
  const category = await catalog.category({ name: 'c' }, staff);
  let link: Promise<unknown> = Promise.resolve();
  await catalog.db.unit(storeId, async (em) => {
    await sql(em, `update catalog.products set name = 'new' where store_id = $1 and id = $2`, [storeId, id]);
    link = catalog.run('insert into catalog.product_categories (product_id, category_id) values ($1, $2)', [id, category.id]);
    await lockWaits(catalog.db, 1, link);
  });
  await link;
  expect(await catalog.run('select name, listed from catalog.product_categories where product_id = $1', [id])).toEqual([
    { name: 'new', listed: true },
  ]);
});

test('folding keeps each total in one row, and leaves none of a category that is gone', async () => {
  const kept = await catalog.category({ name: 'kept' }, staff);
  const gone = await catalog.category({ name: 'gone' }, staff);
  for (let n = 0; n < 40; n++) await catalog.product({ name: `n${n}`, category_ids: [kept.id, gone.id] }, staff);
  await catalog.byId('DeleteCategory', gone.id, staff);
  const all = () => catalog.run('select delta from catalog.product_totals where store_id = $1', [storeId]);
  expect(await all()).toHaveLength(40);
  await Promise.all([foldOnce(catalog.db), foldOnce(catalog.db)]);
  expect(await all()).toHaveLength(1);
  const rows = (id: number) => catalog.run('select added from catalog.category_totals where category_id = $1', [id]);
  expect([await rows(kept.id), await rows(gone.id)]).toEqual([[{ added: 40 }], []]);
  for (const query of ['', 'category=kept']) expect((await catalog.list(query, key)).pagination.total_count).toBe(40);
});

onOneServer('an update calls the trigger of the total only if it lists or unlists a product', async () => {
  await catalog.product({ name: 'n' }, key);
  const explained = async (change: string) =>
    JSON.stringify(await catalog.run(`explain (analyze, costs off) update catalog.products set ${change} where store_id = $1`, [storeId]));
  expect(await explained('stock = stock + 1, updated_at = now()')).not.toMatch(/count_updated/);
  expect(await explained('active = false')).toMatch(/count_updated/);
  expect((await catalog.list('', key)).pagination.total_count).toBe(0);
});
