import { randomInt } from 'node:crypto';
import { insertRecord, takenErrors } from '@store/db';
import { cents, refuseErrors } from '@store/input';
import { recordChange } from '@store/service';
import { copiedCustomers, customerErrors, holdCustomer } from '../customers/customer-copy.ts';
import type { Verb } from '../sales.ts';
import { changeCard } from './change-card.ts';
import { cardResponse } from './gift-card.query.ts';
import { acceptGiftCard, GiftCard, lastFour } from './gift-card.ts';
import { moveBalance } from './ledger.ts';

/** Without 0, 1, I and O, which are easily confused. */
const numberLetters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const numberLength = 16;

/** POST /gift_cards (staff): issues a card. Its amount is the first row of its ledger. */
export const createGiftCard: Verb<'CreateGiftCard'> = (app, request, call) => {
  const { caller } = call;
  const accepted = acceptGiftCard(caller.timeZone).create(request.gift_card);
  const { amount, card_number, customer_id, ...rest } = accepted.values;
  return changeCard(
    app,
    call,
    async (em, asked) => {
      refuseErrors({ ...accepted.errors, ...asked, ...(await takenErrors(em, GiftCard, { card_number })) });
      await holdCustomer(em, caller.storeId, customer_id ?? null);
      const now = app.db.clock.now();
      const values = {
        recipient_name: null,
        expires_at: null,
        ...rest,
        card_number: card_number ?? randomNumber(),
        customer_id: customer_id ?? null,
        status: 'active',
        original_amount: amount!,
        balance: amount!,
      };
      const card = await insertRecord(em, GiftCard, { ...values, held: '0.00', issued_at: now }, now);
      moveBalance({ em, app, call }, card, { type: 'issue', amount: cents(amount!) });
      await em.flush();
      await recordChange(em, app, call, GiftCard, card.id, { before: null, after: audited(values) });
      return cardResponse(em, app, card);
    },
    { ask: async () => (customer_id ? customerErrors((await copiedCustomers(app, call, [customer_id])).get(customer_id)) : {}) },
  );
};

/** Whoever has the number has the money: the trail shows its end (D265). */
function audited({ card_number, ...rest }: { card_number: string }) {
  return { card_last4: lastFour(card_number), ...rest };
}

function randomNumber(): string {
  const letters = Array.from({ length: numberLength }, () => numberLetters[randomInt(numberLetters.length)]);
  return `GC-${letters.join('').replace(/(.{4})(?=.)/g, '$1-')}`;
}
