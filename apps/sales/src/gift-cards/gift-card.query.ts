import { type EntityManager, sql } from '@store/db';
import type { GiftCardResponse } from '@store/protos/sales/v1.ts';
import type { Sales } from '../sales.ts';
import { tables } from '../tables.ts';
import { giftCardView } from './gift-card.view.ts';

const cardsOf = (storeId: number) =>
  tables
    .selectFrom('gift_cards as card')
    .leftJoin('customers as customer', (join) =>
      join.onRef('customer.store_id', '=', 'card.store_id').onRef('customer.id', '=', 'card.customer_id'),
    )
    .select(['card.id', 'card.card_number', 'card.status', 'card.original_amount', 'card.balance', 'card.held', 'card.customer_id'])
    .select(['card.recipient_name', 'card.issued_at', 'card.expires_at', 'customer.name as customer_name'])
    .where('card.store_id', '=', storeId);

export const cardById = (storeId: number, id: number) => cardsOf(storeId).where('card.id', '=', id);
export const cardByNumber = (storeId: number, number: string) => cardsOf(storeId).where('card.card_number', '=', number);

/** The answer of a verb that wrote the card: what the unit sees of it. */
export async function cardResponse(
  em: EntityManager,
  app: Sales,
  { storeId, id }: { storeId: number; id: number },
): Promise<GiftCardResponse> {
  const [row] = await sql(em, cardById(storeId, id));
  return { gift_card: giftCardView(row!, app.db.clock.now()) };
}
