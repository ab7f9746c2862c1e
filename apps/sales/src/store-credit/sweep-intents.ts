/** Gives back store credit that belongs to no completed sale, within 60 s (D210): the request that took it died or timed out. */
import { storeCaller } from '@store/service';
import type { Sales } from '../sales.ts';
import { releaseIntent } from './credit-intents.ts';

const sweepIntentsEveryMs = 10_000;
/** A request that is younger may still complete its sale. */
const staleAfterMs = 30_000;
const atOnce = 100;

export async function sweepIntents(app: Sales): Promise<void> {
  const before = new Date(app.db.clock.now().getTime() - staleAfterMs);
  const stale = await app.db.read<{ id: number; store_id: number; sale_id: number }>(
    'select id, store_id, sale_id from sales.store_credit_intents where created_at < $1 order by id limit $2',
    [before, atOnce],
  );
  for (const { id, store_id, sale_id } of stale) {
    const caller = await app.db.unit(store_id, (em) => storeCaller(em, app.db.schema, store_id));
    await releaseIntent(app, caller, { id, saleId: sale_id }, before);
  }
}

export const unclaimedCreditTimer = { name: 'store credit of no sale', everyMs: sweepIntentsEveryMs, work: sweepIntents };
