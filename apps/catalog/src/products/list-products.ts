import { type Ask, textCondition } from '@store/db';
import { type Mark, type Page, paginationView, parsePage, parseTimestamp, soughtExternalId } from '@store/input';
import type { ListProductsRequest__Output } from '@store/protos/catalog/v1.ts';
import type { Caller } from '@store/rpc';
import type { Verb } from '../catalog.ts';
import { centerFilter } from '../revenue-centers/center-filter.ts';
import { categoryPage, categoryTotal, type Statement } from './category-page.ts';
import { barcodeCondition, codesOf, skuCondition } from './code-filter.ts';
import { type FoundPage, firstPage, keptTotal } from './first-page.ts';
import { foundPage } from './found-page.ts';
import { type ProductRow, productsStatement, variationsOf } from './product.query.ts';
import { productView } from './product.view.ts';

const perPageDefault = 25;

/** Active products, for staff all, sorted by name, by cursors as they were made; at most four statements, whatever the filters. */
export const listProducts: Verb<'ListProducts'> = async (app, request, { caller }) => {
  const ask: Ask = app.db.read;
  const quick: Ask = (text, values) => app.db.read(text, values, { short: true });
  const page = parsePage(request, perPageDefault);
  const filter = filterOf(request, caller, await categoryIds(quick, caller.storeId, request.category?.trim()));
  const now = app.db.clock.now();
  const isPlain = page.offset === 0 && !page.walk;
  const isFirst = filter.unfiltered && isPlain;
  const isFirstOfOne = filter.onlyCategories?.length === 1 && isPlain;
  const { rows, totalCount } = isFirst
    ? await firstPage(app.db, caller.storeId, now, page.perPage)
    : await someRows(isFirstOfOne ? quick : ask, caller, filter, now, page);
  const variations = await variationsOf(ask, caller.storeId, rows);
  return { products: rows.map((row) => productView(row, variations.get(row.id), caller)), pagination: paginationView(page, totalCount) };
};

async function someRows(ask: Ask, caller: Caller, filter: Filter, now: Date, page: Page): Promise<FoundPage> {
  if (filter.rowsOfTheirOwn || (page.walk && !filter.unfiltered))
    return foundPage(ask, caller.storeId, now, filter.where, filter.values, page);
  const { text, values } = pageOf(filter, caller, now, page);
  const [rows, totalCount] = await Promise.all([ask<ProductRow>(text, values), total(ask, caller, filter)]);
  return { rows, totalCount };
}

function pageOf({ where, values, onlyCategories }: Filter, { storeId }: Caller, now: Date, page: Page): Statement {
  if (onlyCategories) return categoryPage(storeId, now, onlyCategories, page);
  const { walk, limit, offset } = page;
  if (walk) return walkedPage(storeId, now, limit, walk.mark);
  const next = firstValue + values.length;
  const text = productsStatement(
    `select p.* from catalog.products p where p.store_id = $1 and p.deleted_at is null ${where}
     order by p.name, p.id limit $${next} offset $${next + 1}`,
  );
  return { text, values: [storeId, now, ...values, limit, offset] };
}

/** Without a filter: an index has the list in this order, too. */
function walkedPage(storeId: number, now: Date, limit: number, mark: Mark | undefined): Statement {
  const text = productsStatement(
    `select p.* from catalog.products p where p.store_id = $1 and p.active and p.deleted_at is null and p.parent_id is null
     ${mark ? 'and (p.created_at, p.id) > ($3, $4)' : ''} order by p.created_at, p.id limit ${limit}`,
    'p.created_at, p.id',
  );
  return { text, values: [storeId, now, ...(mark ? [mark.createdAt, mark.id] : [])] };
}

interface Filter {
  /** Conditions on catalog.products p; $1 is the store, $2 now, and the values start at $3. */
  where: string;
  values: unknown[];
  /** Variations are found beside their parents, by what is searched for. */
  rowsOfTheirOwn: boolean;
  /** No filter at all, active ones alone: the kept total holds. */
  unfiltered: boolean;
  /** The categories, where nothing else filters: an index has their lists, and their totals are kept. */
  onlyCategories: number[] | undefined;
}

const firstValue = 3;

/** The conditions of the request; junk is treated as absent (D25), unknown names match nothing. */
function filterOf(request: ListProductsRequest__Output, caller: Caller, categories: number[] | undefined): Filter {
  const all = caller.actor.type === 'user' && request.all === 'true';
  const conditions = all ? [] : ['p.active'];
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${firstValue + values.push(value) - 1}`;
  const search = request.search?.trim();
  const since = parseTimestamp(request.updated_since, caller.timeZone);
  const skus = codesOf('sku', request.sku);
  const barcodes = codesOf('barcode', request.barcode);
  const externalId = soughtExternalId(request.external_id);
  const rowsOfTheirOwn = Boolean(search || since || skus || barcodes || externalId !== undefined);
  // A trimmed, case-insensitive substring of name, sku, barcode, preset barcode or brand (D57).
  if (search) conditions.push(textCondition('p.search_text', search, bind));
  if (since) conditions.push(sinceCondition(bind(since)));
  if (skus) conditions.push(skuCondition(bind(skus)));
  if (externalId !== undefined) conditions.push(`p.external_id = ${bind(externalId)}`);
  if (barcodes) conditions.push(barcodeCondition(bind(barcodes)));
  if (!rowsOfTheirOwn) conditions.push('p.parent_id is null');
  const filters = [
    categories && categoryCondition(bind(categories), rowsOfTheirOwn),
    request.brand?.trim() && brandCondition(request.brand, bind, rowsOfTheirOwn),
    centerCondition(centerFilter(request.revenue_center_id), bind),
  ].filter((condition) => condition !== undefined && condition !== '');
  return {
    where: [...conditions, ...filters].map((condition) => `and ${condition}`).join(' '),
    values,
    rowsOfTheirOwn,
    unfiltered: !all && !rowsOfTheirOwn && filters.length === 0,
    onlyCategories: !all && !rowsOfTheirOwn && filters.length === 1 ? categories : undefined,
  };
}

type Bind = (value: unknown) => string;

/** Updated after it, or one of its variations was: a variation that was deleted or switched off counts too. */
function sinceCondition(at: string): string {
  // A union, as the planner then knows about how many there are and does not probe a whole catalogue one by one.
  return `p.id in (select q.id from catalog.products q where q.store_id = $1 and q.updated_at > ${at}
    union select v.parent_id from catalog.products v where v.store_id = $1 and v.updated_at > ${at} and v.parent_id is not null)`;
}

/** The product is among those ids, or its parent is where variations are rows of their own (D171). */
function amongIds(ids: string, rowsOfTheirOwn: boolean): string {
  return rowsOfTheirOwn ? `(p.id in (${ids}) or p.parent_id in (${ids}))` : `p.id in (${ids})`;
}

/** The products of those categories; a variation has its parent's. */
function categoryCondition(categories: string, rowsOfTheirOwn: boolean): string {
  return amongIds(
    `select pc.product_id from catalog.product_categories pc where pc.store_id = $1 and pc.category_id = any (${categories}::bigint[])`,
    rowsOfTheirOwn,
  );
}

/**
 * The category of that slug with its subcategories; `store:x` those of that store type with theirs (decision
 * D55). Asked first, as the planner then knows how many categories it looks for. undefined: no filter.
 */
async function categoryIds(ask: Ask, storeId: number, category: string | undefined): Promise<number[] | undefined> {
  if (!category) return undefined;
  if (category.includes('\0')) return [];
  const storeType = /^store:(.*)$/s.exec(category)?.[1];
  const rows = await ask<{ id: number }>(
    `select distinct c.id from catalog.categories root join catalog.categories c on c.id = root.id or root.id = any (c.ancestor_ids)
     where root.store_id = $1 and c.store_id = $1 and root.${storeType === undefined ? 'slug' : 'store_type'} = $2`,
    [storeId, storeType ?? category],
  );
  return rows.map((row) => row.id);
}

/** The exact brand name (D53); a brand that is not there matches nothing. */
function brandCondition(brand: string, bind: Bind, rowsOfTheirOwn: boolean): string {
  if (brand.includes('\0')) return 'false';
  const id = `(select f.id from catalog.brands f where f.store_id = $1 and f.name = ${bind(brand)})`;
  if (!rowsOfTheirOwn) return `p.brand_id = ${id}`;
  return `(p.brand_id = ${id} or p.parent_id in (select q.id from catalog.products q where q.store_id = $1 and q.brand_id = ${id}))`;
}

/** A product in no revenue center is visible in all of them (D58); an unknown center shows nothing. */
function centerCondition(id: number | undefined, bind: Bind): string | undefined {
  if (id === undefined) return undefined;
  const center = bind(id);
  return `exists (select 1 from catalog.revenue_centers r where r.id = ${center} and r.store_id = $1)
    and (exists (select 1 from catalog.product_revenue_centers pr
        where pr.store_id = $1 and pr.product_id = coalesce(p.parent_id, p.id) and pr.revenue_center_id = ${center})
      or not exists (select 1 from catalog.product_revenue_centers pr where pr.store_id = $1 and pr.product_id = coalesce(p.parent_id, p.id)))`;
}

async function total(ask: Ask, caller: Caller, filter: Filter): Promise<number> {
  if (filter.unfiltered) return (await ask<{ total: number }>(keptTotal, [caller.storeId]))[0]!.total;
  if (filter.onlyCategories) {
    const { text, values } = categoryTotal(caller.storeId, filter.onlyCategories);
    return (await ask<{ total: number }>(text, values))[0]!.total;
  }
  // The same $-numbers as the page, so that one list of values serves both; now is not asked for.
  const text = `select count(*) as total from catalog.products p
    where p.store_id = $1 and p.deleted_at is null and $2::int is null ${filter.where}`;
  return (await ask<{ total: number }>(text, [caller.storeId, null, ...filter.values]))[0]!.total;
}
