/** Makes the keys of tables what Citus asks for before it distributes them by store; processes may use the tables meanwhile. */
import pg from 'pg';
import { inTransaction, retried } from './short-locks.ts';

export interface StoreTable {
  table: string;
  /** What holds the store. */
  column: string;
  isDistributed: boolean;
}

interface Key {
  table: string;
  constraint: string;
  columns: string[];
}

/** The index that is to be a table's primary key. */
export const indexOfKey = (table: string): string => `${table}_store_key`;

/** The changes that make an index the primary key, under the old one's name. Citus demands one change in a statement. */
export const exchangeKey = ({ table, constraint, index }: { table: string; constraint: string; index: string }) => ({
  drop: `alter table ${table} drop constraint ${constraint}`,
  add: `alter table ${table} add constraint ${constraint} primary key using index ${index}`,
});

/** Lets the primary keys (id) and (event_id) begin with the store. Each is exchanged in a moment, once its index is built. */
export async function beginKeysWithStore(client: pg.Client, schema: string, tables: StoreTable[]): Promise<void> {
  for (const key of await keysWithoutStore(client, schema, tables)) {
    const table = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(key.table)}`;
    const columns = key.columns.map((column) => pg.escapeIdentifier(column)).join(', ');
    await buildAnew(client, schema, { name: indexOfKey(key.table), on: `${table} (store_id, ${columns})`, isUnique: true });
    // The relay and the sums' timer find rows by id over all stores.
    if (key.columns.join() === 'id') await buildAnew(client, schema, { name: `${key.table}_id`, on: `${table} (id)` });
    const constraint = pg.escapeIdentifier(key.constraint);
    const { drop, add } = exchangeKey({ table, constraint, index: pg.escapeIdentifier(indexOfKey(key.table)) });
    await retried(() =>
      inTransaction(client, async () => {
        await client.query(drop);
        await client.query(add);
      }),
    );
  }
}

/**
 * A foreign key that could clear a row's store is refused, also where it clears another column: statements clear it before they delete.
 * One that a run left unchecked when it was cut off is checked.
 */
export async function clearByStatement(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ table: string; name: string; definition: string; clears: boolean }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition,
       confdeltype in ('n', 'd') as clears
     from pg_constraint
     where contype = 'f' and (confdeltype in ('n', 'd') or not convalidated) and connamespace = $1::text::regnamespace`,
    [pg.escapeIdentifier(schema)],
  );
  for (const { table, name, definition, clears } of rows) {
    const plain = definition.replace(/ ON DELETE SET (?:NULL|DEFAULT)(?: \([^)]*\))?/, '').replace(/ NOT VALID$/, '');
    if (clears)
      await retried(() =>
        inTransaction(client, async () => {
          await client.query(`alter table ${table} drop constraint ${name}`);
          await client.query(`alter table ${table} add constraint ${name} ${plain} not valid`);
        }),
      );
    await client.query(`alter table ${table} validate constraint ${name}`);
  }
}

async function keysWithoutStore(client: pg.Client, schema: string, tables: StoreTable[]): Promise<Key[]> {
  const { rows } = await client.query<Key>(
    `select r.relname as table, k.conname as constraint, array(select a.attname::text from unnest(k.conkey) with ordinality c(number, place)
       join pg_attribute a on a.attrelid = r.oid and a.attnum = c.number order by place) as columns
     from pg_constraint k join pg_class r on r.oid = k.conrelid
     where k.contype = 'p' and r.relnamespace = $1::text::regnamespace and r.relname = any ($2) order by r.relname`,
    [pg.escapeIdentifier(schema), tables.map(({ table }) => table)],
  );
  return rows.filter(({ table, columns }) => !columns.includes(tables.find((one) => one.table === table)!.column));
}

interface Index {
  name: string;
  /** Table and columns, escaped. */
  on: string;
  isUnique?: boolean;
}

/** What a run that was cut off left half-built is no index. */
async function buildAnew(client: pg.Client, schema: string, { name, on, isUnique = false }: Index): Promise<void> {
  const escaped = pg.escapeIdentifier(name);
  await client.query(`drop index concurrently if exists ${pg.escapeIdentifier(schema)}.${escaped}`);
  await client.query(`create ${isUnique ? 'unique ' : ''}index concurrently ${escaped} on ${on}`);
}
