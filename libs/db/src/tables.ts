/** Typed statements: tables and columns come from `defineEntity`, so a misspelt column does not compile. A builder only builds. */
import { type EntitySchema, type EntitySchemaWithMeta, UnderscoreNamingStrategy } from '@mikro-orm/core';
import type { InferKyselyDB, InferKyselyTable } from '@mikro-orm/sql';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type Selectable, sql } from 'kysely';
import { hasColumn } from './columns.ts';

/** Rows of a subquery as JSON in one column: what belongs together is read by one statement. */
export { jsonArrayFrom } from 'kysely/helpers/postgres';

/** A row of the entity's table as a statement returns it: columns in snake_case, bigint as number, timestamptz as Date. */
export type Row<Entity extends EntitySchemaWithMeta> = Selectable<InferKyselyTable<Entity>>;

/** The tables of `Entities`, a union of entity schemas, as Kysely knows them. */
export type Tables<Entities extends { name: string }> = InferKyselyDB<Entities>;

export interface BackgroundWork<Columns extends string = string> {
  /** A queue: the condition of the rows that background work is about to handle; $1 is the time of the clock. */
  due?: string;
  /** Columns that timers or reading requests write, or `all`. */
  writes?: 'all' | readonly Columns[];
}

/**
 * Queues, and what timers and reading requests write, by table of `Entities`: the journeys wait for the first and do not compare the
 * second. Only requests and events write a table that is not named.
 */
export type BackgroundOf<Entities extends { name: string }> = {
  [Name in keyof Tables<Entities>]?: BackgroundWork<keyof Tables<Entities>[Name] & string>;
};

/** Builds statements over the tables of `Entities` in that schema. */
export function tablesOf<Entities extends { name: string }>(schema: string): Kysely<Tables<Entities>> {
  const tables = new Kysely<Tables<Entities>>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  return tables.withSchema(schema);
}

const naming = new UnderscoreNamingStrategy();

/** The names of all columns of an entity: a prepared statement with `*` would break when a migration adds one (D278). A reference has none of its own. */
export function columnsOf<Entity extends EntitySchemaWithMeta>(entity: Entity): (keyof Row<Entity> & string)[] {
  const { properties } = (entity as unknown as EntitySchema).init().meta;
  const names = (Object.values(properties) as { name: string; fieldName?: string; joinColumns?: string[] }[])
    .filter(hasColumn)
    .map(({ name, fieldName }) => fieldName ?? naming.propertyToColumnName(name));
  return names as (keyof Row<Entity> & string)[];
}

/** A condition: the rows with one of these keys. A list of stores beside one of ids would be looked up as each with each. */
export function amongKeys(keys: readonly { storeId: number; id: number }[], alias = '') {
  const column = (name: string) => sql.ref(alias === '' ? name : `${alias}.${name}`);
  const [stores, ids] = [keys.map(({ storeId }) => storeId), keys.map(({ id }) => id)];
  return sql<boolean>`(${column('store_id')}, ${column('id')}) in (select * from unnest(${stores}::bigint[], ${ids}::bigint[]))`;
}

/** By code point: an order by language depends on the machine's collation library, and an upgrade of it corrupts the index. */
export const byName = sql`name collate "C"`;
