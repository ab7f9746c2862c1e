/** D265: card numbers are money. What may be guessed, and what the trail and the stored answers keep of them. */
import { expect, test } from '@jest/globals';
import { texts } from '@store/problem';
import { sales, shareSales } from '../../test/shared-sales.ts';
import { keyOf, staffOf } from '../../test/start-sales.ts';
import { guarded, missesMax } from './card-misses.ts';
import { redeemCards } from './tender-cards.ts';

shareSales();

const limited = { status: 429, error: texts.rateLimited };

test('30 failed look-ups a minute, then 429 for cards that exist too, until the minute is over; another caller is not affected', async () => {
  const store = sales.newStore();
  await sales.giftCard({ amount: 5, card_number: 'REAL-1' }, staffOf(store));
  const guesser = keyOf(store);
  const look = (number: string, caller = guesser) => sales.lookup(number, caller);
  const statuses = [];
  for (let n = 0; n <= missesMax; n++) statuses.push((await sales.refusal(look(`NONE-${n}`, guesser))).status);
  expect(statuses).toEqual([...Array(missesMax).fill(404), 429]);
  expect(await sales.refusal(look('REAL-1'))).toMatchObject(limited);
  expect(await look('REAL-1', staffOf(store))).toMatchObject({ card_number: 'REAL-1' });
  sales.clock.advance(60_000);
  expect(await look('REAL-1')).toMatchObject({ card_number: 'REAL-1' });
  expect((await sales.refusal(look('NONE-0'))).status).toBe(404);
});

test('misses at the same time count all the same: of 60, at most 30 are told that there is no such card', async () => {
  const store = sales.newStore();
  const refusals = await Promise.all(Array.from({ length: 60 }, (_, n) => sales.refusal(sales.lookup(`NONE-${n}`, keyOf(store)))));
  const told = refusals.filter(({ status }) => status === 404).length;
  expect(told).toBeLessThanOrEqual(missesMax);
  expect(refusals.every(({ status }) => status === 404 || status === 429)).toBe(true);
});

test('a sale that pays by an unknown card is a failed look-up too', async () => {
  const [store, saleId] = [sales.newStore(), 1];
  const pay = () =>
    guarded(sales, { caller: keyOf(store), deadlineMs: Date.now() + 5_000, rpc: '' }, () =>
      sales.db.unit(store, (em) =>
        redeemCards({ em, app: sales.app, call: { caller: keyOf(store) } }, saleId, [{ cardNumber: 'NONE', amount: '1.00' }]),
      ),
    );
  for (let n = 0; n < missesMax; n++) await expect(pay()).rejects.toMatchObject({ kind: 'invalid' });
  await expect(pay()).rejects.toMatchObject({ kind: 'rate_limited' });
  expect((await sales.refusal(sales.lookup('NONE', keyOf(store)))).status).toBe(429);
});

test('look-ups that find their card are not counted', async () => {
  const store = sales.newStore();
  await sales.giftCard({ amount: 5, card_number: 'REAL-1' }, staffOf(store));
  for (let n = 0; n <= missesMax; n++) await sales.lookup('REAL-1', keyOf(store));
});

test('the audit trail holds the last four of a number, and at most half of a short one', async () => {
  const store = sales.newStore();
  for (const [number, shown] of [
    ['GC-7F3K-92QD', '92QD'],
    ['AB12', '12'],
  ] as const) {
    const [event] = await sales.eventsOf(store, () => sales.giftCard({ amount: 1, card_number: number }, staffOf(store)));
    expect(event!.audit!.after).toMatchObject({ card_last4: shown });
    expect(JSON.stringify(event)).not.toContain(number);
  }
});
