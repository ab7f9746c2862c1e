/** Statements inside a unit: bound parameters, the unit's transaction, rows as objects. Outside a unit there is `db.read`. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { prepared, type Query } from './pg/statement.ts';
import { Transaction } from './pg/transaction.ts';

/** Runs one prepared statement in the transaction of `em`. MikroORM's own execute writes the values into the text. */
export async function sql<Row = Record<string, unknown>>(
  em: EntityManager,
  query: Query<Row>,
  values?: readonly unknown[],
): Promise<Row[]> {
  return (await transactionOf(em).query(prepared(query, values))).rows as Row[];
}

/** Runs a text: `db.read` outside a transaction, `askIn(em)` inside one. */
export type Ask = <Row>(text: string, values: unknown[]) => Promise<Row[]>;

export function askIn(em: EntityManager): Ask {
  return (text, values) => sql(em, text, values);
}

/**
 * Sends a write whose answer no code needs. As the last of its unit it saves a round trip, as the commit goes with it; its failure fails
 * the unit.
 */
export function sqlUnawaited(em: EntityManager, text: string, values: readonly unknown[] = []): void {
  transactionOf(em).send(prepared(text, values));
}

const manyValues = 100;

/**
 * From here on the transaction plans each statement for its values: for statements whose values decide whether they read a few rows or
 * most of a table. With `count`, only for a long list: a plan made while the table was small compares each row with each value (10,000
 * took more than 15 s).
 */
export function planByValues(em: EntityManager, count = Number.POSITIVE_INFINITY): void {
  if (count > manyValues) sqlUnawaited(em, 'set local plan_cache_mode = force_custom_plan');
}

function transactionOf(em: EntityManager): Transaction {
  const transaction = Transaction.of(em);
  if (!transaction) throw new Error('sql() runs inside a unit');
  return transaction;
}
