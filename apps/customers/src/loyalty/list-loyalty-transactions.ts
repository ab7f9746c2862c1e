import { pageOfLedger } from '../customers/page-of-ledger.ts';
import type { Verb } from '../customers.ts';
import { LoyaltyMovement } from './loyalty-movement.ts';

/** GET /customers/:id/loyalty/transactions. */
export const listLoyaltyTransactions: Verb<'ListLoyaltyTransactions'> = async (app, request, { caller }) => {
  const { rows, pagination } = await pageOfLedger(app, request, caller, { entity: LoyaltyMovement, withArchived: false });
  return {
    transactions: rows.map((row) => ({
      id: row.id,
      transaction_type: row.movement_type,
      points: row.points,
      points_before: row.points_before,
      points_after: row.points_after,
      reason: row.reason ?? undefined,
      reward_id: row.reward_id ?? undefined,
      sale_id: row.sale_id ?? undefined,
      user_name: row.user_name ?? undefined,
      merged_from: row.merged_from,
      created_at: row.created_at.toISOString(),
    })),
    pagination,
  };
};
