import { paginationView, parsePage } from '@store/input';
import { readRecord } from '@store/service';
import type { Verb } from '../sales.ts';
import { tables } from '../tables.ts';
import { cardById } from './gift-card.query.ts';

const perPageDefault = 50;
const columns = [
  'id',
  'transaction_type',
  'amount',
  'balance_before',
  'balance_after',
  'reason',
  'sale_id',
  'user_name',
  'created_at',
] as const;

/** GET /gift_cards/:id/transactions: newest first. A card's rows are written under its lock, so their ids have the order of their commits. */
export const listGiftCardTransactions: Verb<'ListGiftCardTransactions'> = async (app, request, { caller }) => {
  const { storeId } = caller;
  const card = await readRecord(app.db, request.id, (id) => cardById(storeId, id), 'Gift card');
  const page = parsePage(request, perPageDefault);
  const ofCard = tables.selectFrom('gift_card_transactions').where('store_id', '=', storeId).where('gift_card_id', '=', card.id);
  const mark = page.walk?.mark;
  const after = mark ? ofCard.where('id', '<', mark.id) : ofCard;
  const [rows, [counted]] = await Promise.all([
    app.db.read(after.select(columns).orderBy('id', 'desc').limit(page.limit).offset(page.offset)),
    app.db.read(ofCard.select(({ fn }) => fn.countAll<number>().as('count'))),
  ]);
  return {
    transactions: rows.map((row) => ({
      id: row.id,
      transaction_type: row.transaction_type,
      amount: Number(row.amount),
      balance_before: Number(row.balance_before),
      balance_after: Number(row.balance_after),
      reason: row.reason ?? undefined,
      sale_id: row.sale_id ?? undefined,
      user_name: row.user_name ?? undefined,
      created_at: row.created_at.toISOString(),
    })),
    pagination: paginationView(page, counted!.count),
  };
};
