/**
 * What lists read instead of counting: the total of a store's products, the total of each category, and the product's name on its links
 * (docs/decisions/0126). The statement that changes them writes these too, or one beside it in the same transaction, which holds the products.
 */
import { type EntityManager, sql, sqlUnawaited } from '@store/db';
import type { Draft } from './product.columns.ts';

/**
 * Begins every statement that writes products, or their links to categories: processes of the release before leave the totals and names to
 * triggers, and these leave out what says so. It goes with the triggers, in the next release.
 */
export const keptHere = '/* lists are kept here */';

/** The list shows it. */
export const isListed = ({ active, parent_id }: Pick<Draft, 'active' | 'parent_id'>): boolean => active === true && parent_id === null;

const listed = (alias: string) => `${alias}.active and ${alias}.deleted_at is null and ${alias}.parent_id is null`;

/** A `with` clause: counts the new products that the clause `p` returns. $1 is the store. */
export const countInserted = `counted as (
  insert into catalog.product_totals (store_id, delta) select $1, count(*) from p where p.active and p.parent_id is null having count(*) > 0)`;

/** A product of which the list shows another name now, or which the list shows no longer, or again. */
export interface Relisted {
  id: number;
  name: string;
  was: boolean;
  is: boolean;
}

/** Keeps the totals and links of products that the unit has locked. */
export function relist(em: EntityManager, storeId: number, products: Relisted[]): void {
  if (products.length === 0) return;
  const steps = products.map(({ was, is }) => Number(is) - Number(was));
  const delta = steps.reduce((sum, step) => sum + step, 0);
  if (delta !== 0) sqlUnawaited(em, 'insert into catalog.product_totals (store_id, delta) values ($1, $2)', [storeId, delta]);
  const [{ id, name, is }, ...others] = products as [Relisted, ...Relisted[]];
  if (others.length === 0) sqlUnawaited(em, relistOne, [storeId, id, name, is, delta]);
  else
    sqlUnawaited(em, relistSeveral, [
      storeId,
      products.map((one) => one.id),
      products.map((one) => one.name),
      products.map((one) => one.is),
      steps,
    ]);
}

const relistOne = `${keptHere}
  with links as (
    update catalog.product_categories set name = $3, listed = $4 where store_id = $1 and product_id = $2 returning category_id)
  insert into catalog.category_totals (store_id, category_id, added) select $1, category_id, $5::int from links where $5::int <> 0`;

/** `any` beside the join: a plan that is kept would take the list to be long, and read all links. */
const relistSeveral = `${keptHere}
  with links as (
    update catalog.product_categories link set name = x.name, listed = x.listed
    from unnest($2::bigint[], $3::text[], $4::boolean[], $5::int[]) as x(product_id, name, listed, step)
    where link.store_id = $1 and link.product_id = any ($2::bigint[]) and link.product_id = x.product_id returning link.category_id, x.step)
  insert into catalog.category_totals (store_id, category_id, added)
  select $1, category_id, sum(step) from links group by category_id having sum(step) <> 0`;

/** Puts each of the products into each of the categories, where it is not yet. The unit has locked the products. */
export async function linkCategories(em: EntityManager, storeId: number, products: number[], categories: number[]): Promise<void> {
  await sql(
    em,
    `${keptHere}
     with links as (
       insert into catalog.product_categories (store_id, product_id, category_id, name, listed)
       select p.store_id, p.id, c.id, p.name, ${listed('p')} from catalog.products p cross join unnest($3::bigint[]) as c(id)
       where p.store_id = $1 and p.id = any ($2::bigint[]) on conflict do nothing returning category_id, listed)
     insert into catalog.category_totals (store_id, category_id, added) select $1, category_id, count(*) from links where listed group by category_id`,
    [storeId, products, categories],
  );
}

/** Takes products out of categories: the links that `condition`, on $2 and $3, finds. */
export async function unlinkCategories(
  em: EntityManager,
  condition: string,
  values: [storeId: number, id: number, ids: number[]],
): Promise<void> {
  await sql(
    em,
    `${keptHere}
     with links as (delete from catalog.product_categories where store_id = $1 and ${condition} returning category_id, listed)
     insert into catalog.category_totals (store_id, category_id, added) select $1, category_id, -count(*) from links where listed group by category_id`,
    values,
  );
}
