/**
 * The list of a category, where nothing else filters it: the page by an index in the list's order, the total kept. SQL text,
 * as lists are hot reads (docs/decisions/0126).
 */
import type { Page } from '@store/input';
import { productsStatement } from './product.query.ts';

export interface Statement {
  text: string;
  values: unknown[];
}

/** Of one category a first page has its limit in the text, so that PostgreSQL keeps its plan. */
const ofOne = (limit: string) => `
  select link.name, link.product_id from catalog.product_categories link
  where link.store_id = $1 and link.category_id = $3 and link.listed order by link.name, link.product_id ${limit}`;

/** As many of each category as the page reaches: what it shows is among those, however the categories overlap. */
const ofSeveral = `
  select distinct one.name, one.product_id from unnest($3::bigint[]) as category(id) cross join lateral (
    select link.name, link.product_id from catalog.product_categories link
    where link.store_id = $1 and link.category_id = category.id and link.listed order by link.name, link.product_id limit $4::bigint + $5::bigint) one
  order by one.name, one.product_id limit $4 offset $5`;

const products = (links: string) =>
  productsStatement(`select p.* from (${links}) listed join catalog.products p on p.id = listed.product_id and p.store_id = $1`);

/** The products of the page; `categories` are the category that was asked for and those below it. */
export function categoryPage(storeId: number, now: Date, categories: number[], { perPage, offset }: Page): Statement {
  const [category, ...below] = categories;
  if (category === undefined || below.length > 0) return { text: products(ofSeveral), values: [storeId, now, categories, perPage, offset] };
  if (offset === 0) return { text: products(ofOne(`limit ${perPage}`)), values: [storeId, now, category] };
  return { text: products(ofOne('limit $4 offset $5')), values: [storeId, now, category, perPage, offset] };
}

/** How many there are: kept for one category; a product in several counts once, so those are counted by the index. */
export function categoryTotal(storeId: number, categories: number[]): Statement {
  const [category, ...below] = categories;
  if (category !== undefined && below.length === 0)
    return {
      text: 'select coalesce(sum(added), 0)::bigint as total from catalog.category_totals where store_id = $1 and category_id = $2',
      values: [storeId, category],
    };
  const text = `select count(distinct product_id) as total from catalog.product_categories
    where store_id = $1 and category_id = any ($2::bigint[]) and listed`;
  return { text, values: [storeId, categories] };
}
