/** Renews leases of attempts that are under way or whose results are recorded late. Text: locked in the order of their ids. */
import { type Db, sql } from '@store/db';
import { leaseMs } from './claim.ts';

export async function renewLeases(db: Db, tokens: string[]): Promise<void> {
  const until = new Date(db.clock.now().getTime() + leaseMs);
  await db.unit(0, (em) =>
    sql(
      em,
      `update webhooks.deliveries set lease_until = $2
       where id in (select id from webhooks.deliveries where state = 'leased' and lease_token = any($1::uuid[]) order by id for update)`,
      [tokens, until],
    ),
  );
}
