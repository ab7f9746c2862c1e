/** The expiry of gift cards: by a lookup, by the daily sweep, and what shows it before either. */
import { describe, expect, test } from '@jest/globals';
import { sales, shareSales } from '../../test/shared-sales.ts';
import { keyOf, staffOf } from '../../test/start-sales.ts';
import { lastSweepTime, sweepExpired } from './sweep-expired.ts';

const noon = '2026-11-20T12:00:00.000Z';
shareSales({}, noon);

const statusOf = async (store: number, id: number) =>
  (await sales.run<{ status: string }>('select status from sales.gift_cards where store_id = $1 and id = $2', [store, id]))[0]!.status;
const audits = async (store: number) =>
  (await sales.events(store)).map(({ audit }) => audit).filter((audit) => audit?.action === 'gift_card.update');

describe('GET /gift_cards/lookup/:card_number', () => {
  test('matches the number in any case, and leaves a card that has not expired as it is', async () => {
    const store = sales.newStore();
    const card = await sales.giftCard({ amount: 5, card_number: 'gc-1a2b', expires_at: '2026-11-20T12:00:00.001Z' }, staffOf(store));
    for (const number of ['GC-1A2B', 'gc-1a2b', ' Gc-1a2B ']) expect(await sales.lookup(number, keyOf(store))).toEqual(card);
    expect(await audits(store)).toEqual([]);
  });

  test('"the lookup marks the card expired", audited once as a change by the system; GET by id only shows it (D119)', async () => {
    const store = sales.newStore();
    const { id } = await sales.giftCard({ amount: 5, card_number: 'OLD-1', expires_at: noon }, staffOf(store));
    expect((await sales.byId('GetGiftCard', id, keyOf(store))).gift_card).toMatchObject({
      status: 'active',
      expired: true,
      active: false,
      balance: 5,
      available_balance: 0,
    });
    expect(await statusOf(store, id)).toBe('active');
    expect(await sales.lookup('old-1', keyOf(store))).toMatchObject({ status: 'expired', expired: true, active: false, balance: 5 });
    await sales.lookup('old-1', keyOf(store));
    const events = (await sales.events(store)).slice(1);
    expect(events).toMatchObject([
      {
        name: 'gift_card.updated',
        body: null,
        audit: { action: 'gift_card.update', before: { status: 'active' }, after: { status: 'expired' } },
      },
    ]);
    const [{ actor }] = (await sales.run('select actor from sales.outbox where store_id = $1 order by id desc limit 1', [store])) as [
      { actor: object },
    ];
    expect(actor).toEqual({ type: 'system', key: null, user: null });
  });

  test('50 lookups at once, beside redeems: every answer is expired, no redeem takes anything, one audit entry', async () => {
    const store = sales.newStore();
    const { id } = await sales.giftCard({ amount: 5, card_number: 'RACE-1', expires_at: noon }, staffOf(store));
    const lookups = Array.from({ length: 50 }, () => sales.lookup('RACE-1', keyOf(store)));
    const redeems = Array.from({ length: 5 }, () => sales.refusal(sales.body('RedeemGiftCard', { amount: 1 }, staffOf(store), { id })));
    expect(new Set((await Promise.all(lookups)).map((card) => `${card.status} ${card.balance}`))).toEqual(new Set(['expired 5']));
    for (const refused of await Promise.all(redeems)) expect(refused).toMatchObject({ status: 422, errors: ['Gift card has expired'] });
    expect(await audits(store)).toHaveLength(1);
  });

  test('what is redeemed or cancelled stays so, whatever its date', async () => {
    const store = sales.newStore();
    const spent = await sales.giftCard({ amount: 1, card_number: 'SPENT-1', expires_at: '2026-11-20T12:00:01Z' }, staffOf(store));
    await sales.body('RedeemGiftCard', { amount: 1 }, staffOf(store), { id: spent.id });
    sales.clock.advance(1_000);
    expect(await sales.lookup('SPENT-1', keyOf(store))).toMatchObject({ status: 'redeemed', expired: true, active: false });
    expect(await statusOf(store, spent.id)).toBe('redeemed');
    sales.clock.advance(-1_000);
  });
});

describe('D117: the sweep daily at 03:00 store time', () => {
  test.each([
    ['2026-11-20T02:59:59.999Z', 'Europe/London', '2026-11-19T03:00:00.000Z'],
    ['2026-11-20T03:00:00.000Z', 'Europe/London', '2026-11-20T03:00:00.000Z'],
    ['2026-07-01T02:00:00.000Z', 'Europe/London', '2026-07-01T02:00:00.000Z'],
    ['2026-10-25T03:30:00.000Z', 'Europe/London', '2026-10-25T03:00:00.000Z'],
    ['2026-11-20T07:59:00.000Z', 'America/New_York', '2026-11-19T08:00:00.000Z'],
  ])('at %s in %s the last was at %s', (now, timeZone, last) => {
    expect(lastSweepTime(new Date(now), timeZone).toISOString()).toBe(last);
  });

  test("marks what had expired by each store's 03:00, once, and nothing later", async () => {
    const [london, newYork] = [sales.newStore(), sales.newStore()];
    for (const [id, zone] of [
      [london, 'Europe/London'],
      [newYork, 'America/New_York'],
    ] as const) {
      await sales.run("insert into sales.stores (id, time_zone, features) values ($1, $2, '{}')", [id, zone]);
    }
    const card = (store: number, expires_at: string) => sales.giftCard({ amount: 1, expires_at }, staffOf(store)).then(({ id }) => id);
    const atThree = await card(london, '2026-11-20T03:00:00Z');
    const afterThree = await card(london, '2026-11-20T03:00:00.001Z');
    // 03:00 in New York is 08:00 in London.
    const other = await card(newYork, '2026-11-20T07:00:00Z');
    const statuses = async () => [await statusOf(london, atThree), await statusOf(london, afterThree), await statusOf(newYork, other)];
    sales.clock.set('2026-11-20T03:04:00Z');
    await sweepExpired(sales.app);
    expect(await statuses()).toEqual(['expired', 'active', 'active']);
    sales.clock.set('2026-11-20T08:04:00Z');
    for (let time = 1; time <= 2; time++) await sweepExpired(sales.app);
    expect(await statuses()).toEqual(['expired', 'active', 'expired']);
    sales.clock.set('2026-11-21T03:04:00Z');
    await sweepExpired(sales.app);
    expect(await statuses()).toEqual(['expired', 'expired', 'expired']);
    expect([await audits(london), await audits(newYork)]).toMatchObject([{ length: 2 }, { length: 1 }]);
  });

  test('looks only at stores with a card whose time is over, however many stores there are', async () => {
    const stores = Array.from({ length: 20 }, () => sales.newStore());
    for (const id of stores) await sales.run("insert into sales.stores (id, time_zone, features) values ($1, 'Europe/London', '{}')", [id]);
    await sales.giftCard({ amount: 1, expires_at: '2027-01-01T03:00:00Z' }, staffOf(stores[0]!));
    await sales.giftCard({ amount: 1, expires_at: '2026-12-01T03:00:00Z' }, staffOf(stores[1]!));
    sales.clock.set('2026-12-02T03:04:00Z');
    let looked = 0;
    const { db } = sales.app;
    const counted: typeof db.read = (...asked) => {
      if (typeof asked[0] !== 'string') looked += 1;
      return db.read(...asked);
    };
    await sweepExpired({ ...sales.app, db: { ...db, read: counted } });
    expect(looked).toBe(1);
  });
});
