/** Which tables belong to stores, and by which column, according to the migrated schemas. */
import { ask } from '@store/testbed/with-client';

export interface Table {
  /** Schema and name. */
  name: string;
  /** In their order, as `select *` returns them. */
  columns: string[];
  /** The column that holds the store; absent: none. */
  storeColumn?: string;
}

export class Tables {
  readonly #byName = new Map<string, Table>();

  constructor(tables: Table[]) {
    for (const table of tables) this.#byName.set(table.name, table);
  }

  get all(): Table[] {
    return [...this.#byName.values()];
  }

  /** A name without a schema stands for any table of that name: the search path is not known here. */
  find(schema: string | undefined, name: string): Table | undefined {
    if (schema !== undefined) return this.#byName.get(`${schema}.${name}`);
    const namesakes = this.all.filter((table) => table.name.split('.')[1] === name);
    return namesakes.find((table) => table.storeColumn !== undefined) ?? namesakes[0];
  }
}

/** Reads the tables of one database's `schemas`. */
export async function readTables(url: string, schemas: string[]): Promise<Table[]> {
  const rows = await ask<{ name: string; columns: string[] }>(
    url,
    `select table_schema || '.' || table_name as name, array_agg(column_name::text order by ordinal_position) as columns
     from information_schema.columns where table_schema = any($1) group by table_schema, table_name order by 1`,
    [schemas],
  );
  return rows.map(({ name, columns }) => tableOf(name, columns));
}

export function tableOf(name: string, columns: string[]): Table {
  // A row of the stores table holds its store as id.
  const storeColumn = name.endsWith('.stores') ? 'id' : columns.find((column) => column === 'store_id');
  return { name, columns, ...(storeColumn !== undefined && { storeColumn }) };
}
