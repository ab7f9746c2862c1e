/** A statement as text and bound values, under a name by which each connection prepares it once. */
import { channel } from 'node:diagnostics_channel';
import type { Compilable } from 'kysely';

/** Publishes each text where it is asked: by the time that pg receives it, a pool has lost the caller. */
export const asked = channel('store.db.asked');

export interface Prepared {
  name: string;
  text: string;
  values: unknown[];
}

export type Query<Row> = string | Compilable<Row>;

export function prepared<Row>(query: Query<Row>, values: readonly unknown[] = []): Prepared {
  const { sql: text, parameters } = typeof query === 'string' ? { sql: query, parameters: values } : query.compile();
  asked.publish(text);
  return { name: nameOf(text), text, values: [...parameters] };
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `s${names.size}`;
    names.set(text, name);
  }
  return name;
}
