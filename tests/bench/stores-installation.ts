/** Many stores like one that exists, made by set-based SQL: their rows in every service, as events would have made them. */
import { hashKey, newKey, type Pepper } from '@store/gateway/key-text';
import type pg from 'pg';

export interface Installation {
  /** The store whose rows are copied. */
  template: number;
  stores: number;
  pepper: Pepper;
  say(line: string): void;
}

/** A store that requests are sent to. */
export interface SampleStore {
  storeId: number;
  key: string;
  productIds: number[];
}

const storesPerBatch = 1_000;
const keysPerStore = 4;
/** Stores with a key whose text is known: of each batch the first ones. */
const samplesPerBatch = 20;
const samplesMax = 400;
/** What each service keeps of a store, by the columns that are the store's own. */
const storeCopies = ['catalog', 'customers', 'inventory', 'sales'];

export async function addStores(database: pg.Client, { template, stores, pepper, say }: Installation): Promise<SampleStore[]> {
  const samples: SampleStore[] = [];
  const startedAt = performance.now();
  const columns = await columnsOf(database);
  for (let made = 0; made < stores; made += storesPerBatch) {
    const count = Math.min(storesPerBatch, stores - made);
    await database.query('begin');
    const ids = await copyStores(database, columns, template, count);
    const wanted = samples.length < samplesMax ? ids.slice(0, samplesPerBatch) : [];
    const keys = wanted.map(newKey);
    await copyRows(database, columns, template, ids);
    await addKeys(database, ids, pepper);
    await database.query(
      `insert into gateway.api_keys (store_id, name, hash, pepper_id, last4, scopes, rate_limit, test_mode, created_by, created_at)
       select s.id, 'Sample', s.hash, $3, 'abcd', k.scopes, 1000, false, u.id, now()
       from unnest($1::bigint[], $2::bytea[]) s(id, hash) join gateway.staff_users u on u.store_id = s.id,
         (select scopes from gateway.api_keys where store_id = $4 limit 1) k`,
      [wanted, keys.map((key) => hashKey(pepper, key)), pepper.id, template],
    );
    await addSubscriptions(database, columns, template, ids);
    await database.query('commit');
    for (const [at, storeId] of wanted.entries())
      samples.push({ storeId, key: keys[at]!, productIds: await productIds(database, storeId) });
    const share = (made + count) / stores;
    const leftS = Math.round(((performance.now() - startedAt) / 1_000) * (1 / share - 1));
    say(`${(made + count).toLocaleString('en')} of ${stores.toLocaleString('en')} stores, ${leftS} s left`);
  }
  await database.query('analyze');
  return samples;
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

async function copyRows(database: pg.Client, columns: Columns, template: number, ids: number[]): Promise<void> {
  const toEach = 'cross join unnest($2::bigint[]) s(id)';
  const users = { store_id: 's.id', email: "s.id || '@stores.example'" };
  await database.query(copy(columns, 'gateway.staff_users', `${toEach} where t.store_id = $1`, users), [template, ids]);
  for (const schema of storeCopies) {
    await database.query(copy(columns, `${schema}.stores`, `${toEach} where t.id = $1`, { id: 's.id' }), [template, ids]);
  }
  const products = { store_id: 's.id', brand_id: 'null', brand_name: 'null', category_list: 'default_list.none' };
  await database.query(
    copy(columns, 'catalog.products', `${toEach} cross join (select '[]'::jsonb as none) default_list where t.store_id = $1`, products),
    [template, ids],
  );
  const of = 'from catalog.products where store_id = any ($1::bigint[])';
  await database.query(`insert into customers.products (store_id, id, name, deleted, version) select store_id, id, name, false, 0 ${of}`, [
    ids,
  ]);
  await database.query(
    `insert into inventory.stock_items (store_id, product_id, quantity, version, changed_at) select store_id, id, 10, 1, now() ${of}`,
    [ids],
  );
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
  const own = { store_id: 's.id', key_id: 'k.id' };
  const from = `cross join unnest($2::bigint[]) s(id) join lateral (select id from gateway.api_keys where store_id = s.id limit 1) k on true
    where t.id = (select min(id) from webhooks.subscriptions where store_id = $1)`;
  await database.query(copy(columns, 'webhooks.subscriptions', from, own), [template, ids]);
}

async function productIds(database: pg.Client, storeId: number): Promise<number[]> {
  const { rows } = await database.query<{ id: string }>('select id from catalog.products where store_id = $1', [storeId]);
  return rows.map(({ id }) => Number(id));
}
