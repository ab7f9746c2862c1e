/** Columns that most tables have; an entity is the only declaration of its table (docs/decisions/0090). */
import { type EntitySchema, type MetadataStorage, p } from '@mikro-orm/core';

/** An id that no key holds: its sequence alone makes it unique. */
export const numberedColumn = () => p.bigint('number').autoincrement().generated('identity');

export const idColumn = () => numberedColumn().primary();

export const storeIdColumn = () => p.bigint('number');

/** The store as the begin of a primary key (D279). Returned, as MikroORM clears the first part of a key of which it learns the rest. */
export const storeKeyColumn = () => storeIdColumn().primary().returning();

export const storeKeyColumns = () => ({ storeId: storeKeyColumn(), id: idColumn() });

interface Reference {
  table: string;
  /** Declared by itself too: statements and records write it. */
  column: string;
  onDelete?: 'no action' | 'cascade' | `set null (${string})`;
}

/** The foreign key of a column that names a row of the same store, so that no row can name another store's. No record has the property. */
export const sameStore = (target: unknown, { table, column, onDelete = 'no action' }: Reference) =>
  p
    .manyToOne(target as EntitySchema)
    .joinColumns('store_id', column)
    .nullable()
    .deleteRule(onDelete)
    .updateRule('no action')
    .foreignKeyName(`${table}_${column}_fkey`) as unknown as ReturnType<typeof notPersisted>;

/** Whether a property has a column of its own, as such a key has not. */
export const hasColumn = ({ joinColumns = [] }: { joinColumns?: string[] }): boolean => joinColumns.length < 2;

/** Such a key is for the schema alone: as a relation, it would put the column's old value back when a record is changed. */
export function leaveReferencesToSchema(entities: MetadataStorage): void {
  for (const meta of entities) {
    meta.comparableProps = meta.comparableProps.filter(hasColumn);
    meta.hydrateProps = meta.hydrateProps.filter(hasColumn);
  }
}

/** What the type of a record and of a row leaves out. */
const notPersisted = () => p.json().nullable().persist(false);

/** A point in time, to the millisecond (D35). */
export const timeColumn = () => p.datetime(3);

/** created_at and updated_at, written by the verb from the service's clock. */
export const timeColumns = () => ({ createdAt: timeColumn(), updatedAt: timeColumn() });

/** An exact decimal as text, such as money (14, 2) and quantities (14, 3) (D166). */
export const decimalColumn = (scale: number, precision = 14) => p.decimal('string').precision(precision).scale(scale);

/** Makes the indexes of a table that give the rows of some columns newest first. MikroORM compares such an expression by its name. */
export const newestFirstIndex =
  (table: string) =>
  (name: string, columns: string, condition = '') => ({
    name,
    expression: `create index ${name} on ${table} (${columns}, created_at desc, id desc)${condition}`,
  });
