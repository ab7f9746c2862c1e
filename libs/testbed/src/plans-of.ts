import { type Db, sql } from '@store/db';

/** The statements that `work` reads by outside a transaction, with their values. */
export async function readsOf(db: Db, work: () => Promise<unknown>): Promise<{ text: string; values: readonly unknown[] }[]> {
  const { read } = db;
  const reads: { text: string; values: readonly unknown[] }[] = [];
  db.read = (query, values = [], options) => {
    const { sql: text, parameters } = typeof query === 'string' ? { sql: query, parameters: values } : query.compile();
    reads.push({ text, values: parameters });
    return read(query, values, options);
  };
  try {
    await work();
  } finally {
    db.read = read;
  }
  return reads;
}

/** Their plans, as PostgreSQL makes them for these values. */
export async function plansOf(db: Db, work: () => Promise<unknown>): Promise<string[]> {
  return Promise.all(
    (await readsOf(db, work)).map(async ({ text, values }) => {
      const rows = await db.unit(0, (em) => sql<{ 'QUERY PLAN': string }>(em, `explain ${text}`, values));
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    }),
  );
}
