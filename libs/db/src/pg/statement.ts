/** A statement as text and bound values, under a name by which each connection prepares it once. */
import type { Compilable } from 'kysely';
import { noteStatement } from './record-statements.ts';

export interface Prepared {
  name: string;
  text: string;
  values: unknown[];
}

/** A text with `$1` placeholders, or a typed query (`tablesOf`), which brings its values. */
export type Query<Row> = string | Compilable<Row>;

export function prepared<Row>(query: Query<Row>, values: readonly unknown[] = []): Prepared {
  const { sql: text, parameters } = typeof query === 'string' ? { sql: query, parameters: values } : query.compile();
  noteStatement(text);
  return { name: nameOf(text), text, values: [...parameters] };
}

const names = new Map<string, string>();

/** The texts are few and fixed. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `s${names.size}`;
    names.set(text, name);
  }
  return name;
}
