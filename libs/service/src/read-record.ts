import type { Db, Query } from '@store/db';
import { parseId } from '@store/input';
import { notFound } from '@store/problem';

/** The row of that id, outside a transaction; a 404 that names it by `what` for no id, an unknown one and another store's. */
export async function readRecord<Row>(db: Db, rawId: string | undefined, byId: (id: number) => Query<Row>, what: string): Promise<Row> {
  const id = parseId(rawId);
  const [row] = id === undefined ? [] : await db.read(byId(id));
  if (!row) throw notFound(what);
  return row;
}
