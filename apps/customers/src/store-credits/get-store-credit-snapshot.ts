import { isoTime } from '@store/db';
import { cappedList } from '@store/service';
import type { Verb } from '../customers.ts';
import { tables } from '../tables.ts';

/** "up to 5,000" */
const creditsMax = 5_000;

/** GET /store_credits/snapshot: by customer id, cut at 5,000, and the header says so (D45). */
export const getStoreCreditSnapshot: Verb<'GetStoreCreditSnapshot'> = async (app, _request, { caller }) => {
  const generatedAt = app.db.clock.now();
  const customers = tables
    .selectFrom('customers')
    .select(['id', 'store_credit_balance'])
    .where('store_id', '=', caller.storeId)
    .where((eb) => eb('store_credit_balance', '>', eb.lit(0).$castTo<string>()))
    .where('archived_at', 'is', null)
    .orderBy('id');
  return cappedList({
    max: creditsMax,
    read: (limit) => app.db.read(customers.limit(limit)),
    answer: (rows) => ({
      credits: rows.map((row) => ({ customer_id: row.id, balance: Number(row.store_credit_balance) })),
      generated_at: isoTime(generatedAt),
    }),
  });
};
