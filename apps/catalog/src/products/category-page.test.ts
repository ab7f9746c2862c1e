/** The list of a category is read from an index and its total is kept: both must be what the products say. */
import { expect, test } from '@jest/globals';
import { sql } from '@store/db';
import { holds } from '@store/testbed/holds';
import fc from 'fast-check';
import { keyOf, staffOf } from '../../test/catalog-under-test.ts';
import { catalog, shareCatalog } from '../../test/shared-catalog.ts';
import { foldOnce } from './fold-totals.ts';

let storeId = 0;

shareCatalog();

type Step =
  | { do: 'create'; name: string; active: boolean; in: number[] }
  | { do: 'rename'; nth: number; name: string }
  | { do: 'put'; nth: number; in: number[] }
  | { do: 'assign'; category: number; nths: number[] }
  | { do: 'activate' | 'deactivate' | 'delete' | 'restore' | 'nest' | 'lift'; nth: number }
  | { do: 'drop'; category: number }
  | { do: 'fold' };

const names = fc.constantFrom('a', 'b', 'B', 'ä', 'z');
const someCategories = fc.uniqueArray(fc.nat(3), { maxLength: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), name: names, active: fc.boolean(), in: someCategories }) },
  fc.record({ do: fc.constant('rename' as const), nth: fc.nat(5), name: names }),
  fc.record({ do: fc.constant('put' as const), nth: fc.nat(5), in: someCategories }),
  fc.record({ do: fc.constant('assign' as const), category: fc.nat(3), nths: fc.uniqueArray(fc.nat(5), { maxLength: 3 }) }),
  fc.record({
    do: fc.constantFrom(
      'activate' as const,
      'deactivate' as const,
      'delete' as const,
      'restore' as const,
      'nest' as const,
      'lift' as const,
    ),
    nth: fc.nat(5),
  }),
  fc.record({ do: fc.constant('drop' as const), category: fc.constant(3) }),
  fc.constant({ do: 'fold' as const }),
);

interface World {
  categories: number[];
  products: number[];
  parent: number;
}

/** Refusals (a category that is gone, a deleted product) are expected among random steps; only lists are checked. */
async function play(each: Step, { categories, products, parent }: World): Promise<unknown> {
  const staff = staffOf(storeId);
  const idsOf = (nths: number[]) => nths.map((nth) => categories[nth]!);
  if (each.do === 'fold') return foldOnce(catalog.db);
  if (each.do === 'drop') return catalog.byId('DeleteCategory', categories[each.category]!, staff);
  if (each.do === 'create') {
    const { name, active } = each;
    return products.push((await catalog.product({ name, active, category_ids: idsOf(each.in) }, staff)).id);
  }
  if (each.do === 'assign') {
    const product_ids = each.nths.flatMap((nth) => products[nth] ?? []);
    return catalog.body('UpdateCategory', { category: { product_ids } }, staff, { id: categories[each.category]! });
  }
  const id = products[each.nth % Math.max(products.length, 1)];
  if (id === undefined) return undefined;
  const change = (product: object) => catalog.body('UpdateProduct', { product }, staff, { id });
  if (each.do === 'rename') return change({ name: each.name });
  if (each.do === 'put') return change({ category_ids: idsOf(each.in) });
  if (each.do === 'activate' || each.do === 'deactivate') return change({ active: each.do === 'activate' });
  if (each.do === 'nest') return change({ parent_id: parent });
  if (each.do === 'lift') return change({ parent_id: null });
  return catalog.call(each.do === 'delete' ? 'DeleteProduct' : 'RestoreProduct', { id: String(id) }, staff);
}

/** What the products and the tree say, counted and sorted without the index. */
async function truth(slug: string): Promise<number[]> {
  const rows = await catalog.run<{ id: number }>(
    `select p.id from catalog.products p where p.store_id = $1 and p.active and p.deleted_at is null and p.parent_id is null
       and exists (select 1 from catalog.product_categories pc join catalog.categories c on c.id = pc.category_id
         join catalog.categories root on root.id = c.id or root.id = any (c.ancestor_ids)
         where pc.product_id = p.id and root.store_id = $1 and root.slug = $2)
     order by p.name, p.id`,
    [storeId, slug],
  );
  return rows.map(({ id }) => id);
}

/** The list in pages of two, and what each page says of the total. */
async function listed(slug: string): Promise<{ ids: number[]; totals: number[] }> {
  const ids: number[] = [];
  const totals: number[] = [];
  for (let page = 1; page === 1 || ids.length === (page - 1) * 2; page++) {
    const { products, pagination } = await catalog.list(`category=${slug}&per_page=2&page=${page}`, keyOf(storeId));
    ids.push(...products.map((product: { id: number }) => product.id));
    totals.push(pagination.total_count);
  }
  return { ids, totals };
}

test('D55, D43: each category, its subcategories included, lists what the products say after any concurrent changes', async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 6, maxLength: 24 }),
    fc.integer({ min: 1, max: 5 }),
    async (steps, width) => {
      storeId += 1;
      const staff = staffOf(storeId);
      const top = await catalog.category({ name: 'top', slug: 'top' }, staff);
      const inside = await catalog.category({ name: 'in', slug: 'in', parent_id: top.id }, staff);
      const deep = await catalog.category({ name: 'deep', slug: 'deep', parent_id: inside.id }, staff);
      const other = await catalog.category({ name: 'other', slug: 'other' }, staff);
      const parent = (await catalog.product({ name: 'parent', category_ids: [top.id] }, staff)).id;
      const world: World = { categories: [top.id, inside.id, deep.id, other.id], products: [], parent };
      for (let from = 0; from < steps.length; from += width)
        await Promise.allSettled(steps.slice(from, from + width).map((each) => play(each, world)));
      for (const slug of ['top', 'in', 'deep', 'other', 'unknown']) {
        const ids = await truth(slug);
        const list = await listed(slug);
        expect(list.ids).toEqual(ids);
        expect(new Set(list.totals)).toEqual(new Set([ids.length]));
      }
    },
  );
  await holds(property, { numRuns: 30 });
  expect(catalog.lines).toEqual([]);
}, 120_000);

test('a product that is renamed while it is put into a category stands there under its new name', async () => {
  storeId += 1;
  const staff = staffOf(storeId);
  const { id } = await catalog.product({ name: 'old' }, staff);
  const category = await catalog.category({ name: 'c', slug: 'c' }, staff);
  const renamed = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const renaming = catalog.db.unit(storeId, async (em) => {
    await sql(em, `update catalog.products set name = 'new' where store_id = $1 and id = $2`, [storeId, id]);
    renamed.resolve();
    await held.promise;
  });
  await renamed.promise;
  const link = catalog.run('insert into catalog.product_categories (product_id, category_id) values ($1, $2)', [id, category.id]);
  const lockWaits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await catalog.db.read(lockWaits)).length === 0) await new Promise((resolve) => setImmediate(resolve));
  held.resolve();
  await Promise.all([renaming, link]);
  expect(await catalog.run('select name, listed from catalog.product_categories where product_id = $1', [id])).toEqual([
    { name: 'new', listed: true },
  ]);
});

test('folding keeps the totals of categories, and leaves nothing of one that is gone', async () => {
  storeId += 1;
  const staff = staffOf(storeId);
  const kept = await catalog.category({ name: 'kept', slug: 'kept' }, staff);
  const gone = await catalog.category({ name: 'gone', slug: 'gone' }, staff);
  for (let n = 0; n < 40; n++) await catalog.product({ name: `n${n}`, category_ids: [kept.id, gone.id] }, staff);
  await catalog.byId('DeleteCategory', gone.id, staff);
  await Promise.all([foldOnce(catalog.db), foldOnce(catalog.db)]);
  const rows = (id: number) => catalog.run('select added from catalog.category_totals where category_id = $1', [id]);
  expect(await rows(kept.id)).toEqual([{ added: 40 }]);
  expect(await rows(gone.id)).toEqual([]);
  expect((await catalog.list('category=kept', keyOf(storeId))).pagination.total_count).toBe(40);
});
