/** Stores of 5,000 and 100,000 products, and enough keys that no request meets a limit. */
import { scopes } from '@store/contract';
import { hashKey, newKey, type Pepper } from '@store/gateway/key-text';
import { withClient } from '@store/testbed/with-client';
import type pg from 'pg';
import { makeStore } from '../kit/stores.ts';
import { addCustomers, customersOf } from './customers.ts';

export interface BenchStore {
  storeId: number;
  products: number;
  keys: string[];
  /** Ids of some products, for reads of one. */
  ids: number[];
  /** Its admin's login. */
  staff: { email: string; password: string };
}

export interface Fixture {
  small: BenchStore;
  large: BenchStore;
  /** Writes go to this store, so that the stores that are read keep their size. */
  scratch: BenchStore;
  /** Of the same size, for the writes of the floor. */
  floor: BenchStore;
}

/** At 1,000 requests per minute each, 400 keys allow 6,600 requests per second. The first key has a limit of one request. */
const keysPerStore = 400;
const scratchProducts = 1_000;
const idsKept = 1_000;
const categories = 40;

export function makeFixture(url: string, pepper: Pepper, sizes: { small: number; large: number }): Promise<Fixture> {
  return withClient(url, async (client) => {
    const make = (products: number) => makeFilledStore(client, url, pepper, products);
    const [small, large] = [await make(sizes.small), await make(sizes.large)];
    await addCustomers(client, small.storeId, customersOf.small);
    await addCustomers(client, large.storeId, customersOf.large);
    return { small, large, scratch: await make(scratchProducts), floor: await make(scratchProducts) };
  });
}

export async function makeFilledStore(client: pg.Client, url: string, pepper: Pepper, products: number): Promise<BenchStore> {
  const { id: storeId, adminId, ...staff } = await makeStore(url, { name: `Bench ${products}`, cost: null });
  await client.query(products > 0 ? catalogue : 'select $1::bigint, $2::int, $3::int', [storeId, products, categories]);
  await client.query(links, [storeId]);
  await client.query(keptCategories, [storeId]);
  await client.query('vacuum analyze catalog.products');
  await client.query('analyze catalog.product_categories');
  const text = 'select id::int from catalog.products where store_id = $1 order by random() limit $2';
  const { rows } = await client.query<{ id: number }>(text, [storeId, idsKept]);
  return { storeId, products, keys: await makeKeys(client, storeId, adminId, pepper), ids: rows.map(({ id }) => id), staff };
}

/**
 * Names spread over the alphabet; one word in a hundred is rare, and search looks for it. No level was applied yet: at a
 * version, catalog would skip each product's first adjustment.
 */
const catalogue = `
  with brand as (
    insert into catalog.brands (store_id, name, created_at, updated_at)
    select $1, 'Brand ' || n, now(), now() from generate_series(1, 20) n returning id, name),
  category as (
    insert into catalog.categories (store_id, name, slug, created_at, updated_at)
    select $1, 'Category ' || n, 'category-' || n, now(), now() from generate_series(1, $3::int) n returning id),
  numbered as (select id, name, row_number() over (order by id) as n from brand)
  insert into catalog.products (store_id, name, sku, barcode, description, price, cost, brand_id, brand_name, additional_barcodes, search_text, stock, stock_version, created_at, updated_at)
  select $1, p.name, p.sku, p.barcode, 'A sound article of the trade, kept in stock all year round.', (p.n % 5000) / 100.0, (p.n % 3000) / 100.0, b.id, b.name,
    jsonb_build_array(jsonb_build_object('code', 'X' || p.n, 'label', 'Case')), lower(concat_ws(E'\\x1f', p.name, p.sku, p.barcode, b.name)), p.n % 90, 0, now(), now()
  from (select n, initcap(md5(n::text)) || case when n % 200 = 0 then ' Lantern ' else ' Basket ' end || n as name, 'SKU-' || n as sku, (5000000000000 + n)::text as barcode
        from generate_series(1, $2::int) n) p
  join numbered b on b.n = p.n % 20 + 1`;

const links = `
  with numbered as (select id, row_number() over (order by id) as n, count(*) over () as total from catalog.categories where store_id = $1)
  insert into catalog.product_categories (store_id, product_id, category_id)
  select $1, p.id, c.id from catalog.products p join numbered c on c.n = p.id % c.total + 1 where p.store_id = $1`;

/** In the form in which the product's row stores it. */
const keptCategories = `
  update catalog.products p set category_list = (select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'slug', c.slug))
    from catalog.product_categories pc join catalog.categories c on c.id = pc.category_id where pc.product_id = p.id)
  where p.store_id = $1`;

async function makeKeys(client: pg.Client, storeId: number, adminId: number, pepper: Pepper): Promise<string[]> {
  const keys = Array.from({ length: keysPerStore }, newKey);
  await client.query(
    `insert into gateway.api_keys (store_id, name, hash, pepper_id, last4, scopes, rate_limit, test_mode, created_by, created_at)
     select $1, 'Bench', h, $3, l, $4::text[], case when n = 1 then 1 else 1000 end, false, $2, now()
     from unnest($5::bytea[], $6::text[]) with ordinality as k(h, l, n)`,
    [storeId, adminId, pepper.id, keyScopes, keys.map((key) => hashKey(pepper, key)), keys.map((key) => key.slice(-4))],
  );
  return keys;
}

/** Without those that add fields which the floors do not have. */
const keyScopes = scopes.filter((scope) => !['costs:read', 'loyalty:read', 'store_credits:read'].includes(scope));
