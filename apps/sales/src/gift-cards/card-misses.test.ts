/** D265: card numbers are money. What may be guessed, and what the trail and the stored answers keep of them. */
import { expect, test } from '@jest/globals';
import { texts } from '@store/problem';
import { clerk, key, sales, shareSales, store } from '../../test/sales-under-test.ts';
import { guarded, missesMax } from './card-misses.ts';
import { redeemCards } from './tender-cards.ts';

shareSales();

const limited = { status: 429, error: texts.rateLimited };

test('30 failed look-ups a minute, then 429 for this caller, for cards that exist too', async () => {
  await sales.giftCard({ amount: 5, card_number: 'REAL-1' });
  const guesser = key;
  const look = (number: string, caller = guesser) => sales.lookup(number, caller);
  const statuses = [];
  for (let n = 0; n <= missesMax; n++) statuses.push((await sales.refusal(look(`NONE-${n}`, guesser))).status);
  expect(statuses).toEqual([...Array(missesMax).fill(404), 429]);
  expect(await sales.refusal(look('REAL-1'))).toMatchObject(limited);
  expect(await look('REAL-1', clerk)).toMatchObject({ card_number: 'REAL-1' });
  sales.clock.advance(60_000);
  expect(await look('REAL-1')).toMatchObject({ card_number: 'REAL-1' });
  expect((await sales.refusal(look('NONE-0'))).status).toBe(404);
});

test('of 60 misses at once at most 30 are told that there is no such card', async () => {
  const refusals = await Promise.all(Array.from({ length: 60 }, (_, n) => sales.refusal(sales.lookup(`NONE-${n}`))));
  const misses = refusals.filter(({ status }) => status === 404).length;
  expect(misses).toBeLessThanOrEqual(missesMax);
  expect(refusals.every(({ status }) => status === 404 || status === 429)).toBe(true);
});

test('a sale that pays by an unknown card is a failed look-up too', async () => {
  const saleId = 1;
  const pay = () =>
    guarded(sales, { caller: key, deadlineMs: Date.now() + 5_000, rpc: '' }, () =>
      sales.db.unit(store, (em) =>
        redeemCards({ em, app: sales.app, call: { caller: key } }, saleId, [{ cardNumber: 'NONE', amount: '1.00' }]),
      ),
    );
  for (let n = 0; n < missesMax; n++) await expect(pay()).rejects.toMatchObject({ kind: 'invalid' });
  await expect(pay()).rejects.toMatchObject({ kind: 'rate_limited' });
  expect((await sales.refusal(sales.lookup('NONE'))).status).toBe(429);
});

test('look-ups that find their card are not counted', async () => {
  await sales.giftCard({ amount: 5, card_number: 'REAL-1' });
  for (let n = 0; n <= missesMax; n++) await sales.lookup('REAL-1');
});

test('the audit trail holds the last four of a number, and at most half of a short one', async () => {
  for (const [number, shown] of [
    ['GC-7F3K-92QD', '92QD'],
    ['AB12', '12'],
  ] as const) {
    const [event] = await sales.eventsOf(store, () => sales.giftCard({ amount: 1, card_number: number }));
    expect(event!.audit!.after).toMatchObject({ card_last4: shown });
    expect(JSON.stringify(event)).not.toContain(number);
  }
});
