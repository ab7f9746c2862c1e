/** Fast insertion of many rows: without triggers and checks of foreign keys, and with indexes built once at the end. */
import type pg from 'pg';

interface BulkInsert {
  /** With their schemas. Their indexes are dropped, but for those of primary keys and constraints. */
  tables: string[];
  say(line: string): void;
}

interface Index {
  name: string;
  definition: string;
}

/** How a transaction of the insertion begins. */
export const local = `set local synchronous_commit = off; set local session_replication_role = replica`;

/** As much as one build of an index may take of the machine's memory. */
const buildMemory = '1GB';

export async function withoutIndexes<Result>(
  database: pg.Client,
  { tables, say }: BulkInsert,
  work: () => Promise<Result>,
): Promise<Result> {
  const { rows: indexes } = await database.query<Index>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = any ($1::text[]::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid) order by 1`,
    [tables],
  );
  for (const { name } of indexes) await database.query(`drop index ${name}`);
  const result = await work();
  await database.query(`set maintenance_work_mem = '${buildMemory}'`);
  for (const { name, definition } of indexes) {
    say(`Building the index ${name}`);
    await database.query(definition);
  }
  await database.query('reset maintenance_work_mem');
  return result;
}
