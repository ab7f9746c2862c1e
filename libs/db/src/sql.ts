/** Statements inside a unit: bound parameters, the unit's transaction, rows as objects. Outside a unit there is `db.read`. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { prepared, type Query } from './pg/statement.ts';
import { Transaction } from './pg/transaction.ts';

/**
 * Runs one statement in the transaction of `em`, prepared once per connection: a text with `$1` placeholders, or a typed query
 * (`tablesOf`). (MikroORM's own execute writes the values into the text; bound values spare the parser a 1,000-row JSON.)
 */
export async function sql<Row = Record<string, unknown>>(
  em: EntityManager,
  query: Query<Row>,
  values?: readonly unknown[],
): Promise<Row[]> {
  return (await transactionOf(em).query(prepared(query, values))).rows as Row[];
}

/**
 * Sends a write whose answer no code needs, without waiting for it. When it is the last of its unit, the commit goes with it and the
 * unit waits one round trip less. It runs before what is sent after it; a failure of it fails the unit.
 */
export function sqlUnawaited(em: EntityManager, text: string, values: readonly unknown[] = []): void {
  transactionOf(em).send(prepared(text, values));
}

const manyValues = 100;

/**
 * From here to its end the transaction plans each statement for its values. Call it before statements whose values decide whether
 * they read a few rows or most of a table. With `count`, the length of a list that the statements take, only a long list is planned
 * so: a plan for any values, made while its table was small, reads all of the table and compares each row with each value (10,000
 * values took more than 15 s).
 */
export function planByValues(em: EntityManager, count = Number.POSITIVE_INFINITY): void {
  if (count > manyValues) sqlUnawaited(em, 'set local plan_cache_mode = force_custom_plan');
}

function transactionOf(em: EntityManager): Transaction {
  const transaction = Transaction.of(em);
  if (!transaction) throw new Error('sql() runs inside a unit');
  return transaction;
}
