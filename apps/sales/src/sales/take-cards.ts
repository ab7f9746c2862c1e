import type { Call } from '@store/rpc';
import type { Unit } from '@store/service';
import { guarded } from '../gift-cards/card-misses.ts';
import { redeemCards } from '../gift-cards/tender-cards.ts';
import type { Sales } from '../sales.ts';
import type { SaleState } from './plan-sale.ts';
import type { AcceptedSale } from './sale.input.ts';

/** Takes the gift-card tenders of a sale that becomes completed, in its transaction. */
export async function takeCards(unit: Unit, { sale, payments }: SaleState): Promise<void> {
  const tenders = payments.flatMap(({ amount, card_number }) => (card_number === null ? [] : [{ cardNumber: card_number, amount }]));
  await redeemCards(unit, sale.id, tenders);
}

/** A refused sale reveals whether a card exists, so a sale with cards is limited like a look-up. `parked`: its cards may be stored. */
export function withCards<T>(
  app: Sales,
  call: Call,
  { payments, parked = false }: Pick<AcceptedSale, 'payments'> & { parked?: boolean },
  work: () => Promise<T>,
): Promise<T> {
  const mayTake = parked || payments?.some(({ card_number }) => card_number !== null);
  return mayTake ? guarded(app, call, work) : work();
}
