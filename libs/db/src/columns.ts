/** Columns that most tables have; an entity is the only declaration of its table (docs/decisions/0090). */
import { p } from '@mikro-orm/core';

export const idColumn = () => p.bigint('number').primary().autoincrement().generated('identity');

export const storeIdColumn = () => p.bigint('number');

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
