import { readRecord } from '@store/service';
import type { Verb } from '../sales.ts';
import { tables } from '../tables.ts';
import { cardById } from './gift-card.query.ts';
import { holdView } from './gift-card-hold.ts';

/** GET /gift_cards/:id/holds (staff): oldest first, all there are. */
export const listHolds: Verb<'ListHolds'> = async (app, request, { caller }) => {
  const card = await readRecord(app.db, request.id, (id) => cardById(caller.storeId, id), 'Gift card');
  const holds = tables.selectFrom('gift_card_holds').select(['id', 'amount', 'user_name', 'created_at']);
  const rows = await app.db.read(holds.where('store_id', '=', caller.storeId).where('gift_card_id', '=', card.id).orderBy('id'));
  return { holds: rows.map(holdView) };
};
