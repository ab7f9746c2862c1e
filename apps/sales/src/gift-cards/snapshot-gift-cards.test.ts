/** GET /gift_cards/snapshot. */
import { describe, expect, test } from '@jest/globals';
import type { Reply } from '@store/rpc';
import type { Json } from '@store/testbed';
import { clerkOf, key, sales, shareSales, store } from '../../test/sales-under-test.ts';
import { snapshotCardsMax, snapshotGiftCards } from './snapshot-gift-cards.ts';

shareSales();

const snapshot = () => sales.call('SnapshotGiftCards', {}, key);

/** Active cards N000001 and on. */
const plant = (cards: number) =>
  sales.run(
    `insert into sales.gift_cards (store_id, card_number, status, original_amount, balance, held, issued_at, created_at, updated_at)
     select $1, 'N' || lpad(n::text, 6, '0'), 'active', 10, 7.5, 0, now(), now(), now() from generate_series(1, $2::int) n`,
    [store, cards],
  );

test('golden: the snapshot has the unexpired active cards by id, with these keys alone', async () => {
  const issue = (card_number: string, more = {}) => sales.giftCard({ amount: 20, card_number, ...more });
  await issue('SNAP-2');
  await issue('SNAP-1', { expires_at: '2026-11-20T12:00:00.001Z' });
  await issue('GONE-1', { expires_at: '2026-11-20T12:00:00.000Z' });
  const cancelled = await issue('GONE-2');
  await sales.cancel(cancelled.id);
  const spent = await issue('GONE-3');
  await sales.redeem(spent.id, { amount: 20 });
  await sales.giftCard({ amount: 1 }, clerkOf(store + 1_000));
  const { text, headers } = await snapshot();
  expect(text).toBe(
    '{"generated_at":"2026-11-20T12:00:00.000Z","cards":[{"card_number":"SNAP-2","balance":20,"status":"active","expires_at":null},' +
      '{"card_number":"SNAP-1","balance":20,"status":"active","expires_at":"2026-11-20T12:00:00.001Z"}]}',
  );
  expect(headers).toEqual({});
});

test('a store without cards has an empty list', async () => {
  expect((await snapshot()).json.cards).toEqual([]);
});

describe('"every active card (up to 20,000)"', () => {
  const numbers = (json: Json) => json.cards.map((card: Json) => card.card_number);

  test('20,000 are all there, and nothing says otherwise', async () => {
    await plant(snapshotCardsMax);
    const { json, headers } = await snapshot();
    expect([json.cards.length, new Set(numbers(json)).size, headers]).toEqual([20_000, 20_000, {}]);
  });

  test('D45: of 20,001 the last one is cut; the header precedes reading any card', async () => {
    await plant(snapshotCardsMax + 1);
    const { json, headers } = await snapshot();
    expect(headers).toEqual({ 'x-truncated': 'true' });
    expect([json.cards.length, numbers(json).at(-1)]).toEqual([20_000, 'N020000']);
    const call = { caller: key, deadlineMs: Date.now() + 60_000, rpc: '' };
    const headOnly = async () => {
      const head = (await snapshotGiftCards(sales.app, {} as never, call)) as Reply<unknown>;
      expect(head.options.headers).toEqual({ 'X-Truncated': 'true' });
    };
    expect(await sales.statementsOf(headOnly)).toBe(1);
  });

  test('cards issued while it runs are left out; one spent meanwhile is not shown stale', async () => {
    await plant(2_500);
    const call = { caller: key, deadlineMs: Date.now() + 60_000, rpc: '' };
    const { options } = (await snapshotGiftCards(sales.app, {} as never, call)) as Reply<unknown>;
    const seen: string[] = [];
    for await (const { cards } of options.rest as AsyncIterable<Json>) {
      if (seen.length === 0) {
        await sales.run("update sales.gift_cards set status = 'cancelled' where store_id = $1 and card_number = 'N002000'", [store]);
        await sales.giftCard({ amount: 1, card_number: 'LATE-1' });
      }
      seen.push(...cards.map((card: Json) => card.card_number));
    }
    expect([seen.length, seen.includes('LATE-1'), seen.includes('N002000')]).toEqual([2_499, false, false]);
  });
});
