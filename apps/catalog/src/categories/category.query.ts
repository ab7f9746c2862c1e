/** Reads a store's categories and how many products each shows. SQL text, as Kysely has no array subselects. */
import { type Ask, askIn, type EntityManager, type Row, sql } from '@store/db';
import { holdLinks } from '../products/hold-links.ts';
import type { Category } from './category.ts';

type Shown = 'id' | 'parent_id' | 'name' | 'slug' | 'icon' | 'icon_url' | 'color' | 'position' | 'store_type' | 'age_restricted' | 'active';

type Read = Pick<Row<typeof Category>, Shown> & { revenue_center_ids: number[] };

export type CategoryRow = Read & Pick<Row<typeof Category>, 'ancestor_ids'>;

export interface Counts {
  direct: number;
  total: number;
}

/** All categories of a store, siblings in their order (D61). */
export async function categoriesOf(ask: Ask, storeId: number): Promise<CategoryRow[]> {
  const rows = await ask<Read>(
    `select c.id, c.parent_id, c.name, c.slug, c.icon, c.icon_url, c.color, c.position, c.store_type, c.age_restricted, c.active,
       array(select r.revenue_center_id from catalog.category_revenue_centers r where r.store_id = $1 and r.category_id = c.id order by 1) as revenue_center_ids
     from catalog.categories c where c.store_id = $1 order by c.position, c.name collate "C", c.id`,
    [storeId],
  );
  return withAncestors(rows);
}

/** Follows the parents: of an old tree of 1,000 levels the stored lists have half a million ids, which take 100 ms to read. */
function withAncestors(rows: Read[]): CategoryRow[] {
  const parents = new Map(rows.map((row) => [row.id, row.parent_id]));
  const paths = new Map<number, number[]>();
  const pathOf = (id: number | null): number[] => {
    if (id === null) return [];
    const path = paths.get(id) ?? [...pathOf(parents.get(id) ?? null), id];
    paths.set(id, path);
    return path;
  };
  return rows.map((row) => ({ ...row, ancestor_ids: pathOf(row.parent_id) }));
}

/**
 * Active top-level products in each category, directly and with its subcategories, as GET
 * /products?category= lists them: a product in two of the categories counts once in their parent, and
 * variations are part of their product. Only `rows` count, and only products visible in the center.
 */
export async function productCounts(ask: Ask, storeId: number, rows: CategoryRow[], center: number | null): Promise<Map<number, Counts>> {
  // Products in the same categories are counted together: the tree is then walked once per combination.
  const combinations = await ask<{ category_ids: number[]; products: number }>(
    `select category_ids, count(*)::int as products from (
       select array_agg(pc.category_id) as category_ids
       from catalog.product_categories pc
         join catalog.products p on p.id = pc.product_id and p.store_id = $1 and p.active and p.deleted_at is null and p.parent_id is null
       where pc.store_id = $1 and pc.category_id = any ($2::bigint[])
         and ($3::bigint is null
           or exists (select 1 from catalog.product_revenue_centers pr where pr.store_id = $1 and pr.product_id = p.id and pr.revenue_center_id = $3)
           or not exists (select 1 from catalog.product_revenue_centers pr where pr.store_id = $1 and pr.product_id = p.id))
       group by pc.product_id) each
     group by category_ids`,
    [storeId, rows.map((row) => row.id), center],
  );
  const above = new Map(rows.map((row) => [row.id, row.ancestor_ids]));
  const counts = new Map(rows.map((row): [number, Counts] => [row.id, { direct: 0, total: 0 }]));
  for (const { category_ids, products } of combinations) {
    for (const id of category_ids) counts.get(id)!.direct += products;
    for (const id of new Set(category_ids.flatMap((direct) => [...above.get(direct)!, direct]))) counts.get(id)!.total += products;
  }
  return counts;
}

/** All categories of the store, locked: the tree is changed by one at a time, so that no two moves make a circle. */
export async function lockCategories(em: EntityManager, storeId: number): Promise<CategoryRow[]> {
  // The lock on the store's tree also blocks requests that add a category to it, or a product or promotion to one.
  await holdLinks(em, storeId, 'alone');
  return categoriesOf(askIn(em), storeId);
}

/** Products in the category or below it, deleted ones left out. */
export async function productsBelow(em: EntityManager, storeId: number, id: number): Promise<number[]> {
  const rows = await sql<{ id: number }>(
    em,
    `select p.id from catalog.products p where p.store_id = $1 and p.deleted_at is null and p.id in (
       select pc.product_id from catalog.product_categories pc join catalog.categories c on c.id = pc.category_id
       where pc.store_id = $1 and c.store_id = $1 and (c.id = $2 or $2 = any (c.ancestor_ids))) order by p.id`,
    [storeId, id],
  );
  return rows.map((row) => row.id);
}

/** Products that show the category: those directly in it, deleted ones left out. */
export async function productsIn(em: EntityManager, storeId: number, id: number): Promise<number[]> {
  const rows = await sql<{ id: number }>(
    em,
    `select p.id from catalog.product_categories pc join catalog.products p on p.id = pc.product_id
     where pc.store_id = $1 and pc.category_id = $2 and p.store_id = $1 and p.deleted_at is null order by p.id`,
    [storeId, id],
  );
  return rows.map((row) => row.id);
}
