/** The catalogue steps that both demo stores need; existing records are found and reused. */
import { type Client, eachOf } from './client.ts';

/** Requests in flight at once: enough to keep two cores busy. */
export const atOnce = 8;
const perPage = 100;
/** bulk_upsert and bulk_update take at most this many. */
export const batchMax = 1_000;

export interface Listed {
  id: number;
  sku?: string;
  current_stock: number;
  block_manual_discounts?: boolean;
  variations?: Listed[];
}

/** Ids of records of one kind, such as a brand, in the order of `wanted`; those of a name that is missing are created. */
export async function madeOnce<Row extends { name: string }>(
  staff: Client,
  kind: string,
  wanted: readonly Row[],
  lanes = 1,
): Promise<number[]> {
  const answer = await staff.get<Record<string, { id: number; name: string }[]>>(`/${kind}s?per_page=${perPage}`);
  const known = new Map(answer[`${kind}s`]!.map(({ name, id }) => [name, id]));
  const make = async (row: Row) => (await staff.post<Record<string, { id: number }>>(`/${kind}s`, { [kind]: row }))[kind]!.id;
  return eachOf(wanted, lanes, async (row) => known.get(row.name) ?? make(row));
}

/** Ids of the brands by name. */
export async function brandsNamed(staff: Client, names: string[]): Promise<Map<string, number>> {
  const ids = await madeOnce(
    staff,
    'brand',
    names.map((name) => ({ name })),
    atOnce,
  );
  return new Map(names.map((name, index) => [name, ids[index]!]));
}

/** Sends product rows with a key, in as few requests as the limit of rows per request allows. */
export async function upsertProducts(key: Client, rows: object[]): Promise<void> {
  for (let from = 0; from < rows.length; from += batchMax)
    await key.post('/products/bulk_upsert', { products: rows.slice(from, from + batchMax) });
}

/** The store's active products, variations included, by sku. */
export async function productsBySku(key: Client): Promise<Map<string, Listed>> {
  const page = (number: number) =>
    key.get<{ data: Listed[]; pagination: { total_pages: number } }>(`/products?per_page=${perPage}&page=${number}`);
  const first = await page(1);
  const others = Array.from({ length: Math.max(first.pagination.total_pages - 1, 0) }, (_, index) => index + 2);
  const rest = await eachOf(others, atOnce, page);
  const listed = [first, ...rest].flatMap(({ data }) => data).flatMap((product) => [product, ...(product.variations ?? [])]);
  return new Map(listed.flatMap((product) => (product.sku === undefined ? [] : [[product.sku, product]])));
}

/** Sets the stock of many products, one request per level and thousand. */
export async function setStock(key: Client, levels: Map<number, number[]>): Promise<void> {
  for (const [level, ids] of levels) {
    for (let from = 0; from < ids.length; from += batchMax) {
      await key.patch('/products/bulk_update', { product_ids: ids.slice(from, from + batchMax), updates: { current_stock: level } });
    }
  }
}

export interface CategoryWanted {
  name: string;
  parentId?: number;
  position: number;
  productIds?: number[];
  storeType: 'cannabis' | 'general';
}

/** Creates a category once; an empty one is in no list, so a repetition is detected by its Idempotency-Key. */
export async function makeCategory(staff: Client, wanted: CategoryWanted): Promise<number> {
  const { category } = await staff.post<{ category: { id: number } }>(
    '/categories',
    {
      category: {
        name: wanted.name,
        position: wanted.position,
        ...(wanted.parentId !== undefined && { parent_id: wanted.parentId }),
        ...(wanted.productIds && { product_ids: wanted.productIds }),
        store_type: wanted.storeType,
        age_restricted: wanted.storeType === 'cannabis',
      },
    },
    `demo-category-${wanted.parentId ?? 'top'}-${wanted.name.replaceAll(/\W+/g, '-')}`,
  );
  return category.id;
}
