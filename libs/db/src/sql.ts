/** Raw SQL inside a unit: bound parameters, the same transaction, rows as objects. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Compilable } from 'kysely';
import { compiled, statementName, statements } from './db.ts';
import { noteStatement } from './record-statements.ts';
import { Transaction } from './transaction.ts';

/**
 * Runs one statement with `$1` placeholders in the transaction of `em`, prepared once per connection: the texts
 * are few and fixed, and values are bound. (MikroORM's own execute writes the values into the text; bound
 * values spare the parser a 1,000-row JSON.)
 */
export async function sql<Row = Record<string, unknown>>(em: EntityManager, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return (await transactionOf(em).query(prepared(text, values))).rows as Row[];
}

/**
 * Like `sql`, for a write whose answer nobody needs and which is mostly the last of its unit: the commit goes with it, so a unit
 * waits one round trip less. It runs before what is sent after it; a failure of it fails the unit.
 */
export function sendSql(em: EntityManager, text: string, values: readonly unknown[]): void {
  transactionOf(em).send(prepared(text, values));
}

function transactionOf(em: EntityManager): Transaction {
  const transaction = Transaction.of(em);
  if (!transaction) throw new Error('sql() runs inside a unit');
  return transaction;
}

function prepared(text: string, values: readonly unknown[]) {
  statements.count?.();
  noteStatement(text);
  return { name: statementName('unit', text), text, values: [...values] };
}

/** Runs a typed query (`tablesOf`) in the transaction of `em`, prepared like `sql`. */
export function rows<Row>(em: EntityManager, query: Compilable<Row>): Promise<Row[]> {
  return sql<Row>(em, ...compiled(query));
}

/**
 * From here to its end the transaction plans each statement for its values: for statements whose values decide whether
 * they read a few rows or most of a table.
 */
export async function planByValues(em: EntityManager): Promise<void> {
  await sql(em, 'set local plan_cache_mode = force_custom_plan');
}

const manyValues = 100;

/**
 * For units that take lists of any length. A plan for any values, made while its table was small, reads all of the table and
 * compares each row with each value: 10,000 values took more than 15 s. Long lists are planned for their values.
 */
export async function planForMany(em: EntityManager, count: number): Promise<void> {
  if (count > manyValues) await planByValues(em);
}

/** Longer lists are planned for their values: against that the planning is small. */
const listedMax = 16;

/**
 * A condition `column in (…)` on values of which there are few, for reads outside a unit; `from` is its first placeholder. Of a list
 * that is one parameter PostgreSQL assumes ten elements, finds each shorter one cheaper without that assumption, and plans it anew
 * each time. Listed one by one they keep the plan. There is a text for each power of two, filled up with the last value.
 */
export function among(column: string, from: number, values: readonly number[]): { condition: string; values: unknown[] } {
  if (values.length === 0 || values.length > listedMax) return { condition: `${column} = any ($${from}::bigint[])`, values: [values] };
  const listed = [...values];
  while (listed.length & (listed.length - 1)) listed.push(values.at(-1)!);
  return { condition: `${column} in (${listed.map((_value, n) => `$${from + n}::bigint`).join(', ')})`, values: listed };
}

/** The one row of a statement that always returns one. */
export async function sqlOne<Row = Record<string, unknown>>(em: EntityManager, text: string, values: unknown[] = []): Promise<Row> {
  const [row] = await sql<Row>(em, text, values);
  if (row === undefined) throw new Error('the statement returned no row');
  return row;
}

/** `2026-11-21 09:30:00.12+00` or a Date as `2026-11-21T09:30:00.120Z` (D35). */
export function isoTime(value: string | Date): string {
  if (value instanceof Date) return value.toISOString();
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)?\+00(?::?00)?$/.exec(value);
  if (!match) return new Date(value).toISOString();
  return `${match[1]}T${match[2]}.${(match[3] ?? '').padEnd(3, '0')}Z`;
}

/** Escapes LIKE's wildcards, so that a search matches the text literally. */
export function likeLiteral(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
