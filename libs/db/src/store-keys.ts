/** Lets the keys of tables that exist begin with store_id (D279), beside processes of the version before: a row then names none of another store. */
import type { Constructor } from '@mikro-orm/core';
import type { Migration } from '@mikro-orm/migrations';
import { exchangeKey, indexOfKey } from './keys-by-store.ts';
import { buildIndexes, outsideTransaction, statements } from './migrate.ts';
import { lockTimeoutMs } from './short-locks.ts';

interface StoreKey {
  table: string;
  /** What the primary key has behind store_id; id where it is not said. */
  key?: string[];
  /** What the new key makes superfluous. */
  instead?: { constraint: string } | { index: string };
  /** The columns of tables that name its id, with what follows `references`. */
  namedBy?: { table: string; column: string; also?: string }[];
}

/** The migrations of a schema from this number on: indexes are built, each key is exchanged in a moment, and what exists is checked. */
export function storeKeys(schema: string, number: number, keys: StoreKey[]): Record<string, Constructor<Migration>> {
  const built = keys.map(
    ({ table, key = ['id'] }) =>
      `create unique index concurrently if not exists ${indexOfKey(table)} on ${schema}.${table} (store_id, ${key.join(', ')})`,
  );
  const checked = keys.flatMap(({ namedBy = [] }) =>
    namedBy.map(({ table, column }) => `alter table ${schema}.${table} validate constraint ${table}_${column}_fkey`),
  );
  return {
    [`${number}-store-key-indexes`]: buildIndexes(...built),
    ...Object.fromEntries(keys.map((key) => [`${number + 1}-store-key-of-${key.table}`, exchange(schema, key)])),
    ...(checked.length > 0 && { [`${number + 2}-store-keys-checked`]: outsideTransaction(...checked) }),
  };
}

/** New rows are held to the new foreign key at once; those that exist were held to the old one. */
function exchange(schema: string, { table, instead, namedBy = [] }: StoreKey): Constructor<Migration> {
  const named = namedBy.map(({ table: from, column, also = '' }) => {
    const references = `foreign key (store_id, ${column}) references ${table} (store_id, id) ${also}`;
    return `alter table ${from} add constraint ${from}_${column}_fkey ${references} not valid`;
  });
  const { drop, add } = exchangeKey({ table, constraint: `${table}_pkey`, index: indexOfKey(table) });
  return statements(
    `set local lock_timeout = ${lockTimeoutMs}`,
    `set local search_path to ${schema}`,
    ...namedBy.map(({ table: from, column }) => `alter table ${from} drop constraint ${from}_${column}_fkey`),
    drop,
    ...(instead && 'constraint' in instead ? [`alter table ${table} drop constraint ${instead.constraint}`] : []),
    ...(instead && 'index' in instead ? [`drop index ${instead.index}`] : []),
    add,
    ...named,
  );
}
