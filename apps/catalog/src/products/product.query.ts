/**
 * Reads products with all that their public shape shows, in one statement and one more for variations. SQL text, as the
 * list and the single product are the hottest reads (docs/decisions/0090).
 */
import { messageType } from '@store/contract';
import { type Ask, columnsOf, type Row } from '@store/db';
import type { Product as Shape } from '@store/protos/catalog/v1.ts';
import type { Caller } from '@store/rpc';
import { Product } from './product.ts';

type StoredProduct = Row<typeof Product>;

/** Columns that the shape has under their names, and two that it is made from. */
type Shown = (keyof StoredProduct & keyof Shape) | 'parent_id' | 'stock';

const { fields } = messageType('store.catalog.v1.Product');
const shown = columnsOf(Product).filter((name): name is Shown => name in fields || name === 'parent_id' || name === 'stock');

export type ProductRow = Pick<StoredProduct, Shown> & {
  best_price: string | null;
  brand: StoredProduct['brand_name'];
  categories: StoredProduct['category_list'];
};

export type VariationRow = Pick<
  StoredProduct,
  'id' | 'name' | 'sku' | 'barcode' | 'additional_barcodes' | 'price' | 'stock' | 'external_id'
> & {
  parent_id: number;
};

/**
 * The best price that a promotion in force gives: on the product, on its parent, or on a category
 * that either is in, directly or through a subcategory. A parent that is excluded excludes its variations. $1 is the store.
 */
export const bestPriceWhere = (inForce: string) => `
  select min(case pr.discount_type
    when 'percentage' then round(p.price * (100 - pr.value) / 100, 2)
    when 'fixed_amount' then greatest(p.price - pr.value, 0)
    else least(pr.value, p.price) end)
  from catalog.promotions pr
  where pr.store_id = $1 and not p.exclude_from_promotions
    and not exists (select 1 from catalog.products f where f.store_id = $1 and f.id = p.parent_id and f.exclude_from_promotions)
    and ${inForce}
    and (exists (select 1 from catalog.promotion_products pp
        where pp.store_id = $1 and pp.promotion_id = pr.id and pp.product_id in (p.id, p.parent_id))
      or exists (select 1 from catalog.product_categories pc join catalog.categories c on c.id = pc.category_id and c.store_id = $1
                 where pc.store_id = $1 and pr.category_id is not null and pc.product_id in (p.id, p.parent_id)
                   and (c.id = pr.category_id or pr.category_id = any (c.ancestor_ids))))`;

/** The promotion pr holds at $2. */
export const runningNow = '(pr.starts_at is null or pr.starts_at <= $2) and (pr.ends_at is null or pr.ends_at > $2)';

const bestPrice = bestPriceWhere(runningNow);

/** Whether any promotion of the store holds now: asked once for a whole page. */
const anyPromotion = `exists (select 1 from catalog.promotions any_pr where any_pr.store_id = $1
  and (any_pr.starts_at is null or any_pr.starts_at <= $2) and (any_pr.ends_at is null or any_pr.ends_at > $2))`;

/** The best price of p, null when no promotion gives one. */
export const bestPriceColumn = `case when ${anyPromotion} then (${bestPrice}) end as best_price`;

/** Brand and categories are kept in the row (denormalised-names.ts), so that only the best price looks elsewhere. */
const productColumns = (price: string) =>
  `${shown.map((name) => `p.${name}`).join(', ')}, p.brand_name as brand, p.category_list as categories, ${price}`;

/** Of catalog.products as p; $1 is the store and $2 now. */
export const allColumns = productColumns(bestPriceColumn);

/** The columns of a product without links, which no promotion can name. */
export const unlinkedColumns = productColumns('null as best_price');

/** `page` selects rows of catalog.products as p; $1 is the store and $2 now. */
export function productsStatement(page: string, order = 'p.name, p.id'): string {
  return `
    with p as materialized (${page})
    select ${allColumns} from p order by ${order}`;
}

const variationsStatement = `
  select id, parent_id, name, sku, barcode, additional_barcodes, price, stock, external_id from catalog.products
  where store_id = $1 and parent_id = any ($2::bigint[]) and active and deleted_at is null order by name, id`;

/** The active variations of those products that have any, by the id of their parent. */
export async function variationsOf(ask: Ask, storeId: number, rows: ProductRow[]): Promise<Map<number, VariationRow[]>> {
  const parents = rows.filter((row) => row.has_variations).map((row) => row.id);
  const byParent = new Map<number, VariationRow[]>();
  if (parents.length === 0) return byParent;
  for (const row of await ask<VariationRow>(variationsStatement, [storeId, parents])) {
    const siblings = byParent.get(row.parent_id);
    if (siblings) siblings.push(row);
    else byParent.set(row.parent_id, [row]);
  }
  return byParent;
}

const byIds = productsStatement('select * from catalog.products where store_id = $1 and id = any ($3::bigint[]) and deleted_at is null');

/** Products by id, deleted ones left out, with their variations. */
export async function productsByIds(ask: Ask, caller: Caller, now: Date, ids: number[]) {
  if (ids.length === 0) return { rows: [], variations: new Map<number, VariationRow[]>() };
  if (ids.length === 1) return oneOf(await productById(ask, caller, now, ids[0]!));
  const rows = await ask<ProductRow>(byIds, [caller.storeId, now, ids]);
  return { rows, variations: await variationsOf(ask, caller.storeId, rows) };
}

function oneOf(found: Awaited<ReturnType<typeof productById>>) {
  const variations = new Map<number, VariationRow[]>();
  if (found?.variations) variations.set(found.row.id, found.variations);
  return { rows: found ? [found.row] : [], variations };
}

/** Of one product as p; $1 is the store and $2 now. */
export const oneColumns = productColumns(`${anyPromotion} as promoted`);

/** A row of `oneColumns`. */
export type OneRow = Omit<ProductRow, 'best_price'> & { promoted: boolean };

const byId = `select ${oneColumns} from catalog.products p where p.store_id = $1 and p.id = $3 and p.deleted_at is null`;

const bestPriceOf = `select (${bestPrice}) as best_price from catalog.products p where p.store_id = $1 and p.id = $3`;

/**
 * One product: with one id PostgreSQL keeps the plan, which costs less than the read itself. The best
 * price is asked for only while a promotion runs, as the tables that it reads are most of what the plan would open.
 */
export async function productById(ask: Ask, caller: Caller, now: Date, id: number) {
  const [found] = await ask<OneRow>(byId, [caller.storeId, now, id]);
  return found && withLinks(ask, caller, now, found);
}

/** With its best price and its variations, where it may have any. */
export async function withLinks(ask: Ask, caller: Caller, now: Date, found: OneRow) {
  const [best] = found.promoted ? await ask<Pick<ProductRow, 'best_price'>>(bestPriceOf, [caller.storeId, now, found.id]) : [];
  const row: ProductRow = { ...found, best_price: best?.best_price ?? null };
  return { row, variations: (await variationsOf(ask, caller.storeId, [row])).get(row.id) };
}
