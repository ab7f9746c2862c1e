import { paginationView, parseId, parsePage, parseTimestamp } from '@store/contract';
import type { ListProductsRequest__Output } from '@store/contract/gen/store/catalog/v1/ListProductsRequest.ts';
import type { ListProductsResponse } from '@store/contract/gen/store/catalog/v1/ListProductsResponse.ts';
import { likeLiteral } from '@store/db';
import type { Call, Caller } from '@store/rpc';
import type { Catalog } from '../catalog.ts';
import { type Ask, type ProductRow, productsStatement, variationsOf } from './product.query.ts';
import { productView } from './product.view.ts';
import { searchSeparator } from './search-text.ts';

const perPageDefault = 25;

/** Active products sorted by name; at most four statements, whatever the filters. */
export async function listProducts(app: Catalog, request: ListProductsRequest__Output, { caller }: Call): Promise<ListProductsResponse> {
  const ask: Ask = (text, values) => app.db.read('products', text, values);
  const page = parsePage(request, perPageDefault);
  const filter = filterOf(request, caller);
  const now = app.db.clock.now();
  // $1 is the store, $2 now, then limit, offset and the filter's own values.
  const values = [caller.storeId, now, page.perPage, page.offset, ...filter.values];
  const [rows, totalCount] = await Promise.all([ask<ProductRow>(pageStatement(filter.where), values), total(ask, caller, filter)]);
  const variations = await variationsOf(ask, caller.storeId, rows);
  return { products: rows.map((row) => productView(row, variations.get(row.id), caller)), pagination: paginationView(page, totalCount) };
}

function pageStatement(where: string): string {
  return productsStatement(
    `select p.* from catalog.products p where p.store_id = $1 and p.active and p.deleted_at is null ${where} order by p.name, p.id limit $3 offset $4`,
  );
}

interface Filter {
  /** Conditions on catalog.products p; the values start at $5. */
  where: string;
  values: unknown[];
  /** No filter at all: the kept total holds. */
  unfiltered: boolean;
}

const firstValue = 5;

/** The conditions of the request; junk is treated as absent (decision D25), unknown names match nothing. */
function filterOf(request: ListProductsRequest__Output, caller: Caller): Filter {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${firstValue + values.push(value) - 1}`;
  const search = request.search?.trim();
  if (search) conditions.push(searchCondition(search, bind));
  const since = parseTimestamp(request.updated_since, caller.timeZone);
  if (since) {
    const at = bind(since);
    conditions.push(`(p.updated_at > ${at} or (p.has_variations and exists (
      select 1 from catalog.products v where v.parent_id = p.id and v.updated_at > ${at})))`);
  }
  if (!search && !since) conditions.push('p.parent_id is null');
  const unfiltered = conditions.length === 1 && !search && !since;
  if (request.category?.trim()) conditions.push(categoryCondition(request.category.trim(), bind));
  if (request.brand?.trim()) {
    conditions.push(`exists (select 1 from catalog.brands f join catalog.products q on q.brand_id = f.id
      where q.id in (p.id, p.parent_id) and f.store_id = p.store_id and f.name = ${bind(request.brand)})`);
  }
  const center = parseId(request.revenue_center_id);
  if (center !== undefined) conditions.push(centerCondition(bind(center)));
  return {
    where: conditions.map((condition) => `and ${condition}`).join(' '),
    values,
    unfiltered: unfiltered && conditions.length === 1,
  };
}

/** A trimmed, case-insensitive substring of name, sku, barcode, preset barcode or brand (decision D57). */
function searchCondition(search: string, bind: (value: unknown) => string): string {
  if (search.includes('\0') || search.includes(searchSeparator)) return 'false';
  return `p.search_text like ${bind(`%${likeLiteral(search.toLowerCase())}%`)}`;
}

/** `store:x` filters by the category's store type; a slug includes its subcategories; a variation has its parent's. */
function categoryCondition(category: string, bind: (value: unknown) => string): string {
  if (category.includes('\0')) return 'false';
  const storeType = /^store:(.*)$/.exec(category)?.[1];
  const value = bind(storeType ?? category);
  const named = storeType === undefined ? `root.slug = ${value}` : `root.store_type = ${value}`;
  return `exists (select 1 from catalog.product_categories pc join catalog.categories c on c.id = pc.category_id
    join catalog.categories root on root.store_id = p.store_id and (root.id = c.id or root.id = any (c.ancestor_ids))
    where pc.product_id in (p.id, p.parent_id) and ${named})`;
}

/** A product in no revenue center is visible in all of them (decision D58); an unknown center shows nothing. */
function centerCondition(center: string): string {
  return `exists (select 1 from catalog.revenue_centers r where r.id = ${center} and r.store_id = p.store_id)
    and (exists (select 1 from catalog.product_revenue_centers pr where pr.product_id = coalesce(p.parent_id, p.id) and pr.revenue_center_id = ${center})
      or not exists (select 1 from catalog.product_revenue_centers pr where pr.product_id = coalesce(p.parent_id, p.id)))`;
}

const keptTotal = 'select coalesce(sum(delta), 0)::bigint as total from catalog.product_totals where store_id = $1';

async function total(ask: Ask, caller: Caller, filter: Filter): Promise<number> {
  if (filter.unfiltered) return Number((await ask<{ total: string }>(keptTotal, [caller.storeId]))[0]!.total);
  // The same $-numbers as the page, so that one list of values serves both.
  const text = `select count(*) as total from catalog.products p
    where p.store_id = $1 and p.active and p.deleted_at is null and ($2::int is null and $3::int is null and $4::int is null) ${filter.where}`;
  return Number((await ask<{ total: string }>(text, [caller.storeId, null, null, null, ...filter.values]))[0]!.total);
}
