/** The foreign keys of the migrated schemas, and whether each refuses the row of another store. */
import { withClient } from '@store/testbed/with-client';
import pg from 'pg';

interface ForeignKey {
  /** Schema, table and name. */
  name: string;
  from: string;
  to: string;
  /** In their order, with those that they name. */
  columns: string[];
  named: string[];
}

const stores = { own: 1, other: 2 };
const named = 7;
/** Of the row that names it: a row of the other store that named itself would be accepted. */
const naming = 8;
const foreignKeyViolation = '23503';

/** What each makes of a row that names one of its own store, and of another. */
export async function tryForeignKeys(url: string, schemas: string[]): Promise<{ name: string; own: string; other: string }[]> {
  return withClient(url, async (client) => {
    const tried = [];
    for (const key of await foreignKeys(client, schemas)) {
      tried.push({ name: key.name, own: await refer(client, key, stores.own), other: await refer(client, key, stores.other) });
    }
    return tried;
  });
}

async function foreignKeys(client: pg.Client, schemas: string[]): Promise<ForeignKey[]> {
  const columns = (table: string, numbers: string) =>
    `array(select a.attname::text from unnest(${numbers}) with ordinality k(number, place)
       join pg_attribute a on a.attrelid = ${table} and a.attnum = k.number order by place)`;
  const { rows } = await client.query<ForeignKey>(
    `select format('%s.%s', conrelid::regclass, conname) as name, conrelid::regclass::text as from, confrelid::regclass::text as to,
       ${columns('conrelid', 'conkey')} as columns, ${columns('confrelid', 'confkey')} as named
     from pg_constraint where contype = 'f' and connamespace::regnamespace::text = any($1) order by 1`,
    [schemas],
  );
  return rows;
}

/** Has a row of the store name a row of `stores.own`, in a transaction that is rolled back; nothing but this key can refuse it. */
async function refer(client: pg.Client, key: ForeignKey, storeId: number): Promise<string> {
  await client.query('begin');
  try {
    for (const table of new Set([key.from, key.to])) await free(client, table, key);
    const values = (store: number) => key.columns.map((column) => (column === 'store_id' ? store : named));
    const row = (columns: string[], store: number) => Object.fromEntries(columns.map((column, n) => [column, values(store)[n]!]));
    await insert(client, key.to, row(key.named, stores.own), named);
    await insert(client, key.from, { store_id: storeId, ...row(key.columns, storeId) }, naming);
    return 'accepted';
  } catch (error) {
    if ((error as { code?: string }).code === foreignKeyViolation) return 'refused';
    throw error;
  } finally {
    await client.query('rollback');
  }
}

/** Takes from the table what else could refuse a row: checks, other foreign keys, values that must be there. */
async function free(client: pg.Client, table: string, key: ForeignKey): Promise<void> {
  const { rows } = await client.query<{ change: string }>(
    `select format('drop constraint %I', conname) as change from pg_constraint
       where conrelid = $1::regclass and contype in ('c', 'f') and format('%s.%s', conrelid::regclass, conname) <> $2
     union all select format('alter %I drop not null', attname) from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and attnotnull and not attisdropped and attidentity = '' and ${notOfKey}`,
    [table, key.name],
  );
  for (const { change } of rows) await client.query(`alter table ${table} ${change}`);
}

const keyOf = 'select unnest(indkey::int2[]) from pg_index where indrelid = attrelid and indisprimary';
const notOfKey = `attnum not in (${keyOf})`;

/** A row with these values, and this id in what else its primary key has. */
async function insert(client: pg.Client, table: string, values: Record<string, number>, id: number): Promise<void> {
  const { rows } = await client.query<{ column: string }>(
    `select attname as column from pg_attribute where attrelid = $1::regclass and attnum in (${keyOf})`,
    [table],
  );
  const row = { ...Object.fromEntries(rows.map(({ column }) => [column, id])), ...values };
  const columns = Object.keys(row).map((column) => pg.escapeIdentifier(column));
  await client.query(`insert into ${table} (${columns}) overriding system value values (${Object.values(row)}) on conflict do nothing`);
}
