/** Gift cards: issue, redeem, hold, cancel, read, look up. */
import { describe, expect, test } from '@jest/globals';
import { clerk, clerkOf, customerMessage, sales, shareSales, store } from '../../test/sales-under-test.ts';

shareSales();

const hold = (id: number, amount: unknown) => sales.body('HoldGiftCard', { amount }, clerk, { id });
const holds = async (id: number) => (await sales.byId('ListHolds', id, clerk)).holds;

test('golden: a card has exactly these keys in order, money as numbers, none as null', async () => {
  await sales.publish(customerMessage(store, { id: 501, name: 'Maya Lee' }));
  const gift_card = { card_number: ' gc-100a ', amount: '50', customer_id: 501, recipient_name: 'Robin', expires_at: '2027-06-30' };
  const { text } = await sales.answer('CreateGiftCard', { gift_card }, clerk);
  const { id } = JSON.parse(text).gift_card;
  expect(text).toBe(
    `{"gift_card":{"id":${id},"card_number":"GC-100A","status":"active","original_amount":50,"balance":50,"available_balance":50,` +
      '"issued_at":"2026-11-20T12:00:00.000Z","expires_at":"2027-06-30T23:00:00.000Z","expired":false,"active":true,' +
      '"customer_id":501,"customer_name":"Maya Lee","recipient_name":"Robin"}}',
  );
  const plain = (await sales.answer('CreateGiftCard', { gift_card: { amount: 0.1 } }, clerk)).text;
  const issued = JSON.parse(plain).gift_card;
  expect(issued.card_number).toMatch(/^GC(-[2-9A-HJ-NP-Z]{4}){4}$/);
  expect(plain).toContain(`"balance":0.1,"available_balance":0.1,`);
  expect(plain).toMatch(/"expires_at":null,"expired":false,"active":true,"customer_id":null,"customer_name":null,"recipient_name":null}}$/);
  expect({ gift_card: await sales.card(id) }).toEqual(JSON.parse(text));
});

describe('POST /gift_cards refuses', () => {
  test('D232: a number that any card of the store ever had; another store may have it', async () => {
    const card = { amount: 1, card_number: 'ONCE-1' };
    await sales.cancel((await sales.giftCard(card)).id);
    expect(await sales.refused(sales.giftCard({ amount: 1, card_number: 'once-1' }))).toEqual(['Card number has already been taken']);
    expect((await sales.giftCard(card, clerkOf(store + 1_000))).status).toBe('active');
  });

  test('D225: an archived customer', async () => {
    await sales.publish(customerMessage(store, { id: 7, archived: true }));
    expect(await sales.refused(sales.giftCard({ amount: 1, customer_id: 7 }))).toEqual(['Customer id is archived']);
  });
});

describe('POST /gift_cards/:id/redeem', () => {
  test('takes the amount; the last of it makes the card redeemed; the ledger chains', async () => {
    const { id } = await sales.giftCard({ amount: 20 });
    expect(await sales.redeem(id, { amount: '7.505' })).toMatchObject({ balance: 12.49, status: 'active', available_balance: 12.49 });
    expect(await sales.redeem(id, { amount: 12.49 })).toMatchObject({ balance: 0, status: 'redeemed', active: false, expired: false });
    const ledger = await sales.run(
      `select transaction_type, amount, balance_before, balance_after, user_name from sales.gift_card_transactions
       where store_id = $1 order by id`,
      [store],
    );
    expect(ledger.map((row) => Object.values(row as object))).toEqual([
      ['issue', '20.00', '0.00', '20.00', 'Cleo Clerk'],
      ['redeem', '-7.51', '20.00', '12.49', 'Cleo Clerk'],
      ['redeem', '-12.49', '12.49', '0.00', 'Cleo Clerk'],
    ]);
  });

  test('D211: what is held, redeemed, cancelled, expired or missing cannot be taken', async () => {
    const refused = (card: { id: number }, amount: number) => sales.refused(sales.redeem(card.id, { amount }));
    const card = await sales.giftCard({ amount: 20 });
    expect(await refused(card, 20.01)).toEqual(['Gift card has only 20.00 available']);
    await hold(card.id, 5);
    expect(await refused(card, 15.01)).toEqual(['Gift card has only 15.00 available']);
    await sales.redeem(card.id, { amount: 15 });
    await sales.cancel(card.id);
    expect(await refused(card, 1)).toEqual(['Gift card is cancelled']);
    const spent = await sales.giftCard({ amount: 1 });
    await sales.redeem(spent.id, { amount: 1 });
    expect(await refused(spent, 1)).toEqual(['Gift card is redeemed']);
    const old = await sales.giftCard({ amount: 1, expires_at: '2026-11-20T12:00:00Z' });
    expect(await refused(old, 1)).toEqual(['Gift card has expired']);
  });

  test('of 20 at the same time exactly as many succeed as the card can pay', async () => {
    const { id } = await sales.giftCard({ amount: 10 });
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => sales.redeem(id, { amount: 3 })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect((await sales.card(id)).balance).toBe(1);
  });
});

describe('hold and cancel', () => {
  test('D273: holds together never exceed the balance; ending one leaves the others', async () => {
    const { id } = await sales.giftCard({ amount: 10 });
    const release = async (hold_id: number, of = id) =>
      (await sales.call('ReleaseHold', { id: String(of), hold_id: String(hold_id) }, clerk)).json.gift_card;
    const first = await hold(id, 4);
    expect(first).toMatchObject({ gift_card: { balance: 10, available_balance: 6 }, hold: { amount: 4 } });
    const second = await hold(id, 5.5);
    expect(second).toMatchObject({ gift_card: { available_balance: 0.5 }, hold: { amount: 5.5 } });
    expect(await sales.refused(hold(id, 0.51))).toEqual(['Gift card has only 0.50 to hold']);
    expect(await holds(id)).toEqual([first.hold, second.hold]);
    const other = await sales.giftCard({ amount: 10 });
    const unknown = { status: 404, error: 'Hold not found' };
    expect(await sales.refusal(release(first.hold.id, other.id))).toEqual(unknown);
    const events = await sales.eventsOf(store, async () => {
      expect(await release(first.hold.id)).toMatchObject({ balance: 10, available_balance: 4.5 });
    });
    expect(events.map(({ audit }) => audit)).toMatchObject([
      { action: 'gift_card.update', before: { held: '9.50' }, after: { held: '5.50' } },
    ]);
    expect(await sales.refusal(release(first.hold.id))).toEqual(unknown);
    expect(await holds(id)).toEqual([second.hold]);
  });

  test('20 holds at once hold no more than there is', async () => {
    const { id } = await sales.giftCard({ amount: 10 });
    const held = await Promise.allSettled(Array.from({ length: 20 }, () => hold(id, 3)));
    expect(held.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await holds(id)).toHaveLength(3);
  });

  test('only an active card is cancelled; its balance stays and none is available', async () => {
    const { id } = await sales.giftCard({ amount: 10 });
    expect(await sales.cancel(id)).toMatchObject({ status: 'cancelled', balance: 10, available_balance: 0, active: false, expired: false });
    expect(await sales.refused(sales.cancel(id))).toEqual(['Gift card is cancelled']);
    expect(await sales.refused(hold(id, 1))).toEqual(['Gift card is cancelled']);
  });
});
