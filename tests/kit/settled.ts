/** Waits until background work has nothing left to do, as the list of tables says. */
import type pg from 'pg';
import type { Layout } from './layout.ts';
import { tables } from './tables.ts';

const settledWithinMs = 60_000;
const pollMs = 10;

/** One statement: a row that moves from one queue to the next is seen in one of them. */
const waiting = [...tables]
  .filter(([, { due }]) => due !== undefined)
  .map(
    ([name, { due }]) => `select '${name}' as queue, count(*)::int as rows from ${name} where ${due?.replaceAll('$1', '$1::timestamptz')}`,
  )
  .join(' union all ');

/** Named, so that PostgreSQL plans it once per connection and not at each look. */
const inQueues = { name: 'queues', text: `select * from (${waiting}) q where rows > 0` };

/**
 * Every queue is empty, every message is handled, and no message was published in between: handling one may make a service
 * emit another.
 */
export async function settled(database: pg.Client, { clock, published }: Pick<Layout, 'clock' | 'published'>): Promise<void> {
  const giveUpAt = Date.now() + settledWithinMs;
  for (let before: number | undefined; ; ) {
    const { rows } = await database.query<{ queue: string; rows: number }>({ ...inQueues, values: [clock.now()] });
    const { messages, behind } = await published();
    if (rows.length === 0 && behind === 0 && messages === before) return;
    before = rows.length === 0 && behind === 0 ? messages : undefined;
    if (Date.now() > giveUpAt) {
      throw new Error(`not settled in time: ${rows.map((one) => `${one.rows} in ${one.queue}`).join(', ')}; ${behind} messages behind`);
    }
    if (before === undefined) await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
