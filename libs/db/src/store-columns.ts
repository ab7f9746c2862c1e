/** Gives tables store_id (D279), beside processes of the version before, whose rows say no store: they have that of the row that they name. */
import type { Constructor } from '@mikro-orm/core';
import type { Migration } from '@mikro-orm/migrations';
import { buildIndexes, outsideTransaction } from './migrate.ts';

interface StoreColumn {
  table: string;
  /** Names the row whose store it is; the primary key has begun with it, or an index. */
  column: string;
  /** The table of that row. */
  parent: string;
  /** Its rows are filled in the order of their own id, as too many of them name one row. */
  byId?: boolean;
}

/** Rows of the parent, or own ones: a batch holds its locks for milliseconds. */
const batchMax = 500;

/** The migrations of a schema that have two numbers from this one on; the next release drops what they name `earlier_…`. */
export function storeColumns(schema: string, number: number, columns: StoreColumn[]): Record<string, Constructor<Migration>> {
  const indexes = columns
    .filter(({ byId }) => !byId)
    .map(({ table, column }) => `create index concurrently if not exists earlier_${table}_${column} on ${schema}.${table} (${column})`);
  const added = columns.map((one) => [`${number + 1}-store-of-${one.table}`, outsideTransaction(...addStore(schema, one))]);
  // Where storeKeys changes the parent's key, the trigger has nothing else to find a row by.
  const foundById = new Set(columns.flatMap(({ table, parent, byId }) => (byId ? [table, parent] : parent)));
  const ofIds = [...foundById].flatMap((table) => earlierIds(schema, table));
  return { [`${number}-indexes-without-store`]: buildIndexes(...indexes, ...ofIds), ...Object.fromEntries(added) };
}

/** What the version before finds rows of the table by, once its key begins with the store. */
export const earlierIds = (schema: string, table: string): string[] => [
  `create index concurrently if not exists earlier_${table}_id on ${schema}.${table} (id)`,
  dropEarlier(schema, table, `earlier_${table}_id`),
];

/** A new installation has no version before. */
export const dropEarlier = (schema: string, table: string, index: string): string =>
  `do $$ begin if not exists (select from ${schema}.${table}) then drop index if exists ${schema}.${index}; end if; end $$`;

/** What is cut off begins anew, and fills what is still empty. */
function addStore(schema: string, { table: name, column, parent: parentName, byId = false }: StoreColumn): string[] {
  const [table, parent, check] = [`${schema}.${name}`, `${schema}.${parentName}`, `${name}_has_store`];
  return [
    `alter table ${table} add column if not exists store_id bigint`,
    `create or replace function ${schema}.earlier_store_of_${name}() returns trigger language plpgsql as $$
     begin
       select store_id into new.store_id from ${parent} where id = new.${column};
       -- A sum of what is gone, as a foreign key refuses other rows.
       if not found then return null; end if;
       return new;
     end $$`,
    `create or replace trigger earlier_store before insert on ${table} for each row when (new.store_id is null)
       execute function ${schema}.earlier_store_of_${name}()`,
    filled(table, parent, column, byId),
    // A check that is valid spares the next statement from reading the table under its lock.
    `alter table ${table} drop constraint if exists ${check}`,
    `alter table ${table} add constraint ${check} check (store_id is not null) not valid`,
    `alter table ${table} validate constraint ${check}`,
    `alter table ${table} alter column store_id set not null`,
    `alter table ${table} drop constraint ${check}`,
  ];
}

/** Waits for no row that a request has locked, so the two cannot deadlock; such rows are filled in another pass. */
function filled(table: string, parent: string, column: string, byId: boolean): string {
  const [walked, id] = byId ? [table, 't.id'] : [parent, 'p.id'];
  return `
  do $$
  declare
    first bigint;
    last bigint;
  begin
    while exists (select from ${table} where store_id is null) loop
      first := 0;
      loop
        select max(id) into last from (select id from ${walked} where id > first order by id limit ${batchMax}) batch;
        exit when last is null;
        with empty as (
          select t.ctid as place, p.store_id from ${table} t join ${parent} p on p.id = t.${column}
          where ${id} > first and ${id} <= last and t.store_id is null for update of t skip locked)
        update ${table} t set store_id = empty.store_id from empty where t.ctid = empty.place;
        commit;
        first := last;
      end loop;
      delete from ${table} where ctid = any (array(
        select t.ctid from ${table} t
        where t.store_id is null and not exists (select from ${parent} p where p.id = t.${column}) for update skip locked));
      commit;
      perform pg_sleep(0.1);
    end loop;
  end $$`;
}
