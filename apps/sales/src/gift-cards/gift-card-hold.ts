/** A part of a card's balance that somebody put aside; the card keeps the sum of its holds. */
import { defineEntity, p } from '@mikro-orm/core';
import { decimalColumn, idColumn, type Row, storeKeyColumn, timeColumn } from '@store/db';
import type { GiftCardHold as GiftCardHoldMessage } from '@store/protos/sales/v1.ts';

export const GiftCardHold = defineEntity({
  name: 'GiftCardHold',
  tableName: 'gift_card_holds',
  properties: {
    storeId: storeKeyColumn(),
    giftCardId: p.bigint('number').primary(),
    id: idColumn(),
    amount: decimalColumn(2),
    userName: p.text().nullable(),
    createdAt: timeColumn(),
  },
});

type Shown = Pick<Row<typeof GiftCardHold>, 'id' | 'amount' | 'user_name' | 'created_at'>;

export function holdView({ id, amount, user_name, created_at }: Shown): GiftCardHoldMessage {
  return { id, amount: Number(amount), user_name: user_name ?? undefined, created_at: created_at.toISOString() };
}
