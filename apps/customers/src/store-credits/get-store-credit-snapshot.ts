import { isoTime } from '@store/db';
import { Reply } from '@store/rpc';
import type { Verb } from '../customers.ts';
import { tables } from '../tables.ts';

/** "up to 5,000" */
const creditsMax = 5_000;

/** GET /store_credits/snapshot: by customer id, cut at 5,000, and the header says so (D45). */
export const getStoreCreditSnapshot: Verb<'GetStoreCreditSnapshot'> = async (app, _request, { caller }) => {
  const generatedAt = app.db.clock.now();
  const rows = await app.db.read(
    tables
      .selectFrom('customers')
      .select(['id', 'store_credit_balance'])
      .where('store_id', '=', caller.storeId)
      .where((eb) => eb('store_credit_balance', '>', eb.lit(0).$castTo<string>()))
      .where('archived_at', 'is', null)
      .orderBy('id')
      .limit(creditsMax + 1),
  );
  const credits = rows.slice(0, creditsMax).map((row) => ({ customer_id: row.id, balance: Number(row.store_credit_balance) }));
  const headers = rows.length > creditsMax ? { 'X-Truncated': 'true' } : undefined;
  return new Reply({ credits, generated_at: isoTime(generatedAt) }, { headers });
};
