/** The expiry of gift cards: by a lookup, by the daily sweep, and what shows it before either. */
import { describe, expect, test } from '@jest/globals';
import { clerkOf, newStore, sales, shareSales, store } from '../../test/sales-under-test.ts';
import { lastSweepTime, sweepExpired } from './sweep-expired.ts';

const noon = '2026-11-20T12:00:00.000Z';
shareSales();

const statusOf = async (id: number) =>
  (await sales.run<{ status: string }>('select status from sales.gift_cards where id = $1', [id]))[0]!.status;
const addStore = (id: number, zone: string) =>
  sales.run("insert into sales.stores (id, time_zone, features) values ($1, $2, '{}')", [id, zone]);
const audits = async (of = store) =>
  (await sales.events(of)).map(({ audit }) => audit).filter((audit) => audit?.action === 'gift_card.update');

describe('GET /gift_cards/lookup/:card_number', () => {
  test('matches the number in any case, and leaves a card that has not expired as it is', async () => {
    const card = await sales.giftCard({ amount: 5, card_number: 'gc-1a2b', expires_at: '2026-11-20T12:00:00.001Z' });
    for (const number of ['GC-1A2B', 'gc-1a2b', ' Gc-1a2B ']) expect(await sales.lookup(number)).toEqual(card);
    expect(await audits()).toEqual([]);
  });

  test('D119: "the lookup marks the card expired", audited once; GET by id only shows it', async () => {
    const { id } = await sales.giftCard({ amount: 5, card_number: 'OLD-1', expires_at: noon });
    expect(await sales.card(id)).toMatchObject({ status: 'active', expired: true, active: false, balance: 5, available_balance: 0 });
    expect(await statusOf(id)).toBe('active');
    expect(await sales.lookup('old-1')).toMatchObject({ status: 'expired', expired: true, active: false, balance: 5 });
    await sales.lookup('old-1');
    const events = (await sales.events(store)).slice(1);
    const audit = { action: 'gift_card.update', before: { status: 'active' }, after: { status: 'expired' } };
    expect(events).toMatchObject([{ name: 'gift_card.updated', body: null, audit }]);
  });

  test('of 50 lookups beside redeems all say expired, none takes, one is audited', async () => {
    const { id } = await sales.giftCard({ amount: 5, card_number: 'RACE-1', expires_at: noon });
    const lookups = Array.from({ length: 50 }, () => sales.lookup('RACE-1'));
    const redeems = Array.from({ length: 5 }, () => sales.refused(sales.redeem(id, { amount: 1 })));
    expect(new Set((await Promise.all(lookups)).map((card) => `${card.status} ${card.balance}`))).toEqual(new Set(['expired 5']));
    for (const refused of await Promise.all(redeems)) expect(refused).toEqual(['Gift card has expired']);
    expect(await audits()).toHaveLength(1);
  });

  test('what is redeemed or cancelled stays so, whatever its date', async () => {
    const spent = await sales.giftCard({ amount: 1, card_number: 'SPENT-1', expires_at: '2026-11-20T12:00:01Z' });
    await sales.redeem(spent.id, { amount: 1 });
    sales.clock.advance(1_000);
    expect(await sales.lookup('SPENT-1')).toMatchObject({ status: 'redeemed', expired: true, active: false });
    expect(await statusOf(spent.id)).toBe('redeemed');
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
    const [london, newYork] = [store, newStore()];
    await addStore(london, 'Europe/London');
    await addStore(newYork, 'America/New_York');
    const card = (of: number, expires_at: string) => sales.giftCard({ amount: 1, expires_at }, clerkOf(of)).then(({ id }) => id);
    const atThree = await card(london, '2026-11-20T03:00:00Z');
    const afterThree = await card(london, '2026-11-20T03:00:00.001Z');
    // 03:00 in New York is 08:00 in London.
    const other = await card(newYork, '2026-11-20T07:00:00Z');
    const statuses = async () => [await statusOf(atThree), await statusOf(afterThree), await statusOf(other)];
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

  test('looks only at stores with a card that has expired, however many stores', async () => {
    const stores = Array.from({ length: 20 }, () => newStore());
    for (const id of stores) await addStore(id, 'Europe/London');
    await sales.giftCard({ amount: 1, expires_at: '2027-01-01T03:00:00Z' }, clerkOf(stores[0]!));
    await sales.giftCard({ amount: 1, expires_at: '2026-12-01T03:00:00Z' }, clerkOf(stores[1]!));
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
