/** Gift cards as tenders of sales: taken and given back within the caller's transaction. */
import { describe, expect, test } from '@jest/globals';
import type { Unit } from '@store/service';
import { holds } from '@store/testbed/holds';
import fc from 'fast-check';
import { clerk, newStore, sales, shareSales, store } from '../../test/sales-under-test.ts';
import { type CardTender, redeemCards, refundCards } from './tender-cards.ts';

shareSales();

const unit = (work: (unit: Unit) => Promise<void>) => sales.db.unit(store, (em) => work({ em, app: sales.app, call: { caller: clerk } }));
const take = (saleId: number, ...tenders: CardTender[]) => unit((one) => redeemCards(one, saleId, tenders));
const giveBack = (saleId: number) => unit((one) => refundCards(one, saleId));

describe('the tenders of a sale', () => {
  test('are taken from each card, tenders of one card added up, and given back once', async () => {
    const a = await sales.giftCard({ amount: 10, card_number: 'CARD-A' });
    const b = await sales.giftCard({ amount: 5, card_number: 'CARD-B' });
    const shown = async () => [await sales.card(a.id), await sales.card(b.id)].map(({ balance, status }) => `${balance} ${status}`);
    const tender = (cardNumber: string, amount: string) => ({ cardNumber, amount });
    await take(70, tender('card-a', '4.00'), tender('CARD-B', '5.00'), tender('CARD-A', '1.50'));
    expect(await shown()).toEqual(['4.5 active', '0 redeemed']);
    await giveBack(71);
    for (let time = 1; time <= 2; time++) {
      await giveBack(70);
      expect(await shown()).toEqual(['10 active', '5 active']);
    }
  });

  test('are taken whole or not at all, and every card that refuses is named', async () => {
    const good = await sales.giftCard({ amount: 10, card_number: 'GOOD' });
    await sales.giftCard({ amount: 1, card_number: 'POOR' });
    const tenders = ['GOOD', 'POOR', 'NONE-1'].map((cardNumber) => ({ cardNumber, amount: '2.00' }));
    expect(await sales.refusal(take(70, ...tenders))).toMatchObject({
      status: 422,
      errors: ['Gift card ending in OR has only 1.00 available', 'Gift card ending in E-1 not found'],
    });
    expect((await sales.card(good.id)).balance).toBe(10);
    newStore();
    expect(await sales.refused(take(70, tenders[0]!))).toEqual(['Gift card ending in OD not found']);
  });

  test('D212: given back, an expired card is expired and a cancelled one stays cancelled', async () => {
    const old = await sales.giftCard({ amount: 3, card_number: 'OLD-1', expires_at: '2026-11-20T12:00:01Z' });
    const gone = await sales.giftCard({ amount: 9, card_number: 'GONE-1' });
    await take(70, { cardNumber: 'OLD-1', amount: '3.00' }, { cardNumber: 'GONE-1', amount: '2.00' });
    await sales.cancel(gone.id);
    sales.clock.advance(1_000);
    await giveBack(70);
    expect([await sales.card(old.id), await sales.card(gone.id)]).toMatchObject([
      { balance: 3, available_balance: 0, status: 'expired', expired: true },
      { balance: 9, available_balance: 0, status: 'cancelled', expired: false },
    ]);
  });
});

test('whatever is taken and given back at once: no gap, ends at the balance, above 0', async () => {
  const step = fc.record({
    sale: fc.integer({ min: 1, max: 4 }),
    cents: fc.integer({ min: 1, max: 700 }),
    card: fc.constantFrom('P-00', 'P-01', 'P-02'),
    back: fc.boolean(),
  });
  await holds(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), async (rounds) => {
      newStore();
      for (const n of [0, 1, 2]) await sales.giftCard({ amount: 10, card_number: `P-0${n}` });
      for (const round of rounds) {
        await Promise.allSettled(
          round.map(({ sale, cents, card: cardNumber, back }) =>
            back ? giveBack(sale) : take(sale, { cardNumber, amount: (cents / 100).toFixed(2) }),
          ),
        );
      }
      const [found] = await sales.run<{ broken: number; negative: number }>(
        `with chain as (
           select t.*, lag(balance_after, 1, 0) over (partition by gift_card_id order by id) as previous,
             row_number() over (partition by gift_card_id order by id desc) as back
           from sales.gift_card_transactions t where store_id = $1)
         select count(*) filter (where balance_before <> previous or balance_after <> balance_before + amount
             or (back = 1 and balance_after <> c.balance)) as broken,
           count(*) filter (where balance_after < 0 or c.balance > c.original_amount) as negative
         from chain join sales.gift_cards c on c.store_id = $1 and c.id = gift_card_id`,
        [store],
      );
      expect(found).toEqual({ broken: 0, negative: 0 });
    }),
    { numRuns: 15 },
  );
});
