import type { Unit } from '@store/service';
import { redeemCards } from '../gift-cards/tender-cards.ts';
import type { SaleState } from './plan-sale.ts';

/** Takes the gift-card tenders of a sale that becomes completed, in its transaction. */
export async function takeCards(unit: Unit, { sale, payments }: SaleState): Promise<void> {
  const tenders = payments.flatMap(({ amount, card_number }) => (card_number === null ? [] : [{ cardNumber: card_number, amount }]));
  await redeemCards(unit, sale.id, tenders);
}
