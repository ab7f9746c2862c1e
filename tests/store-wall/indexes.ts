/** The indexes of the migrated schemas. */
import pg from 'pg';

export interface Index {
  /** Schema and table. */
  table: string;
  name: string;
  isUnique: boolean;
  isPrimary: boolean;
  /** In their order; an expression is empty. */
  columns: string[];
  /** Whether its table has store_id. */
  ofStore: boolean;
}

/** Reads the indexes of one database's `schemas`. */
export async function readIndexes(url: string, schemas: string[]): Promise<Index[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Index>(
      `select n.nspname || '.' || t.relname as "table", i.relname as name, x.indisunique as "isUnique", x.indisprimary as "isPrimary",
         array(select coalesce(a.attname, '') from unnest(x.indkey::int[]) with ordinality k(number, place)
           left join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number order by place)::text[] as columns,
         exists(select from pg_attribute a where a.attrelid = t.oid and a.attname = 'store_id' and not a.attisdropped) as "ofStore"
       from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
       join pg_namespace n on n.oid = t.relnamespace where n.nspname = any($1) order by 1, 2`,
      [schemas],
    );
    return rows;
  } finally {
    await client.end();
  }
}
