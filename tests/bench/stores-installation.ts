/** Many stores like one that exists, made by set-based SQL: their rows in every service, as events would have made them. */
import { hashKey, newKey, type Pepper } from '@store/gateway/key-text';
import type pg from 'pg';
import { local, withoutIndexes } from './bulk-insert.ts';

export interface Installation {
  /** The store whose rows are copied. */
  template: number;
  stores: number;
  pepper: Pepper;
  say(line: string): void;
}

/** A key that requests are sent with, and its store. */
export interface SampleStore {
  storeId: number;
  key: string;
  productIds: number[];
}

const storesPerBatch = 5_000;
const keysPerStore = 4;
/** Keys whose text is known: of the first stores of each batch. */
const samplesPerBatch = 200;
const samplesMax = 400;
/** What each service keeps of a store, by the columns that are the store's own. */
const storeCopies = ['catalog', 'customers', 'inventory', 'sales'];

/** Tables with many rows of each store. */
const large = ['catalog.products', 'customers.products', 'inventory.stock_items', 'gateway.api_keys'];

export async function addStores(database: pg.Client, { template, stores, pepper, say }: Installation): Promise<SampleStore[]> {
  const columns = await columnsOf(database);
  const startedAt = performance.now();
  const samples = await withoutIndexes(database, { tables: large, say }, async () => {
    const added: SampleStore[] = [];
    for (let count = 0; count < stores; count += storesPerBatch) {
      const batch = Math.min(storesPerBatch, stores - count);
      added.push(...(await addBatch(database, columns, { template, pepper, stores: batch, samples: samplesMax - added.length })));
      const leftS = Math.round(((performance.now() - startedAt) / 1_000) * (stores / (count + batch) - 1));
      say(
        `${bar((count + batch) / stores)} ${(count + batch).toLocaleString('en')} of ${stores.toLocaleString('en')} stores, ${leftS} s left`,
      );
    }
    return added;
  });
  say('vacuum analyze');
  await database.query('vacuum analyze');
  say(`${stores.toLocaleString('en')} stores were made in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  return samples;
}

const barWidth = 20;
const bar = (share: number) => '#'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '.');

interface Batch {
  template: number;
  pepper: Pepper;
  stores: number;
  /** How many more samples are wanted at most. */
  samples: number;
}

async function addBatch(database: pg.Client, columns: Columns, { template, pepper, stores, samples }: Batch): Promise<SampleStore[]> {
  await database.query('begin');
  await database.query(local);
  const ids = await copyStores(database, columns, template, stores);
  const sampled = ids.slice(0, Math.max(0, Math.min(samples, samplesPerBatch)));
  // Few stores have as many keys in all: what one key may do in a minute would end the measurement.
  const holders = Array.from({ length: Math.ceil(Math.min(samples, samplesPerBatch) / sampled.length) }, () => sampled).flat();
  const keys = holders.map(newKey);
  const products = await copyRows(database, columns, template, ids, sampled);
  await addKeys(database, ids, pepper);
  await database.query(
    `insert into gateway.api_keys (store_id, name, hash, pepper_id, last4, scopes, rate_limit, test_mode, created_by, created_at)
     select s.id, 'Sample', s.hash, $3, 'abcd', k.scopes, 1000, false, u.id, now()
     from unnest($1::bigint[], $2::bytea[]) s(id, hash) join gateway.staff_users u on u.store_id = s.id,
       (select scopes from gateway.api_keys where store_id = $4 limit 1) k`,
    [holders, keys.map((key) => hashKey(pepper, key)), pepper.id, template],
  );
  await addSubscriptions(database, columns, template, ids);
  await database.query('commit');
  return holders.map((storeId, at) => ({ storeId, key: keys[at]!, productIds: products.get(storeId)! }));
}

type Columns = Record<string, string[]>;

/** Columns that are not filled by the database, by table. */
async function columnsOf(database: pg.Client): Promise<Columns> {
  const { rows } = await database.query<{ table: string; columns: string[] }>(
    `select table_schema || '.' || table_name as "table", array_agg(column_name::text order by ordinal_position) as columns
     from information_schema.columns where is_identity = 'NO' and is_generated = 'NEVER' group by 1`,
  );
  return Object.fromEntries(rows.map(({ table, columns }) => [table, columns]));
}

/** `insert into table` of the template's rows, with other values in the columns that `own` names. */
function copy(columns: Columns, table: string, from: string, own: Record<string, string>): string {
  const all = columns[table]!;
  return `insert into ${table} (${all.join(', ')}) select ${all.map((column) => own[column] ?? `t.${column}`).join(', ')} from ${table} t ${from}`;
}

async function copyStores(database: pg.Client, columns: Columns, template: number, count: number): Promise<number[]> {
  const { rows } = await database.query<{ id: string }>(
    `${copy(columns, 'gateway.stores', 'cross join generate_series(1, $2::int) n where t.id = $1', { name: "t.name || ' ' || n" })} returning id`,
    [template, count],
  );
  return rows.map(({ id }) => Number(id));
}

/** Returns the ids of the products of the stores `sampled`. */
async function copyRows(
  database: pg.Client,
  columns: Columns,
  template: number,
  ids: number[],
  sampled: number[],
): Promise<Map<number, number[]>> {
  const toEach = 'cross join unnest($2::bigint[]) s(id)';
  const users = { store_id: 's.id', email: "s.id || '@stores.example'" };
  await database.query(copy(columns, 'gateway.staff_users', `${toEach} where t.store_id = $1`, users), [template, ids]);
  for (const schema of storeCopies) {
    await database.query(copy(columns, `${schema}.stores`, `${toEach} where t.id = $1`, { id: 's.id' }), [template, ids]);
  }
  const products = { store_id: 's.id', brand_id: 'null', brand_name: 'null', category_list: 'default_list.none' };
  const from = `${toEach} cross join (select '[]'::jsonb as none) default_list where t.store_id = $1 order by s.id`;
  await database.query(
    `create temporary table made on commit drop as select 0::bigint as id, 0::bigint as store_id, ''::text as name limit 0`,
  );
  await database.query(
    `with copied as (${copy(columns, 'catalog.products', from, products)} returning id, store_id, name, active and deleted_at is null and parent_id is null as listed),
       counted as (insert into catalog.product_totals (store_id, delta) select store_id, count(*) from copied where listed group by store_id)
     insert into made select id, store_id, name from copied`,
    [template, ids],
  );
  await database.query(
    'insert into customers.products (store_id, id, name, deleted, version) select store_id, id, name, false, 0 from made',
  );
  await database.query(
    'insert into inventory.stock_items (store_id, product_id, quantity, version, changed_at) select store_id, id, 10, 1, now() from made',
  );
  const { rows } = await database.query<{ store_id: string; ids: string[] }>(
    'select store_id, array_agg(id order by id) as ids from made where store_id = any ($1::bigint[]) group by 1',
    [sampled],
  );
  return new Map(rows.map((row) => [Number(row.store_id), row.ids.map(Number)]));
}

/** Keys that nobody has the text of. */
async function addKeys(database: pg.Client, ids: number[], pepper: Pepper): Promise<void> {
  await database.query(
    `insert into gateway.api_keys (store_id, name, hash, pepper_id, last4, scopes, rate_limit, test_mode, created_by, created_at)
     select u.store_id, 'Key ' || n, sha256(convert_to(gen_random_uuid()::text, 'UTF8')), $2, 'abcd', '{products:read}', 60, false, u.id, now()
     from gateway.staff_users u, generate_series(1, $3::int) n where u.store_id = any ($1::bigint[])`,
    [ids, pepper.id, keysPerStore],
  );
}

/** One for each store, to events that no store has here. */
async function addSubscriptions(database: pg.Client, columns: Columns, template: number, ids: number[]): Promise<void> {
  const own = { store_id: 'k.store_id', key_id: 'k.id' };
  const from = `cross join (select store_id, min(id) as id from gateway.api_keys where store_id = any ($2::bigint[]) group by store_id) k
    where t.id = (select min(id) from webhooks.subscriptions where store_id = $1)`;
  await database.query(copy(columns, 'webhooks.subscriptions', from, own), [template, ids]);
}
