import pg from 'pg';

type Query = (this: pg.Client & { connectionParameters?: { application_name?: string } }, ...asked: unknown[]) => unknown;

/** Pooled connections; those of relays, notices and migrations have longer names. */
const pooled = /^store-[a-z]+$/;

/** How many statements `work` sends on pooled connections, without a transaction's own begin and end. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const client = pg.Client.prototype as unknown as { query: Query };
  const { query } = client;
  let count = 0;
  client.query = function counted(...asked) {
    const text = String((asked[0] as { text?: string }).text ?? asked[0]);
    if (pooled.test(this.connectionParameters?.application_name ?? '') && !/^(begin|commit|rollback)/.test(text)) count += 1;
    return query.apply(this, asked);
  };
  try {
    await work();
  } finally {
    client.query = query;
  }
  return count;
}
