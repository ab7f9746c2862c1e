/** Gift cards: issue, redeem, hold, cancel, read, look up. */
import { describe, expect, test } from '@jest/globals';
import { sales, shareSales } from '../../test/shared-sales.ts';
import { customerMessage, keyOf, staffOf } from '../../test/start-sales.ts';

shareSales();

const redeem = (id: number, body: object, storeId: number) =>
  sales.body('RedeemGiftCard', body, staffOf(storeId), { id }).then(({ gift_card }) => gift_card);

test('the golden card: exactly these keys in this order, money as numbers, no value as null', async () => {
  const store = sales.newStore();
  await sales.publish(customerMessage(store, { id: 501, name: 'Maya Lee' }));
  const body = {
    gift_card: { card_number: ' gc-100a ', amount: '50', customer_id: 501, recipient_name: 'Robin', expires_at: '2027-06-30' },
  };
  const { text } = await sales.answer('CreateGiftCard', body, staffOf(store));
  const { id } = JSON.parse(text).gift_card;
  expect(text).toBe(
    `{"gift_card":{"id":${id},"card_number":"GC-100A","status":"active","original_amount":50,"balance":50,"available_balance":50,` +
      '"issued_at":"2026-11-20T12:00:00.000Z","expires_at":"2027-06-30T23:00:00.000Z","expired":false,"active":true,' +
      '"customer_id":501,"customer_name":"Maya Lee","recipient_name":"Robin"}}',
  );
  const plain = (await sales.answer('CreateGiftCard', { gift_card: { amount: 0.1 } }, staffOf(store))).text;
  const made = JSON.parse(plain).gift_card;
  expect(made.card_number).toMatch(/^GC(-[2-9A-HJ-NP-Z]{4}){4}$/);
  expect(plain).toContain(`"balance":0.1,"available_balance":0.1,`);
  expect(plain).toMatch(/"expires_at":null,"expired":false,"active":true,"customer_id":null,"customer_name":null,"recipient_name":null}}$/);
  expect(await sales.byId('GetGiftCard', id, keyOf(store))).toEqual(JSON.parse(text));
});

describe('POST /gift_cards refuses', () => {
  test('D232: a number that any card of the store ever had; another store may have it', async () => {
    const [store, other] = [sales.newStore(), sales.newStore()];
    const { id } = await sales.giftCard({ amount: 1, card_number: 'ONCE-1' }, staffOf(store));
    await sales.body('CancelGiftCard', {}, staffOf(store), { id });
    expect(await sales.refusal(sales.giftCard({ amount: 1, card_number: 'once-1' }, staffOf(store)))).toMatchObject({
      status: 422,
      errors: ['Card number has already been taken'],
    });
    expect((await sales.giftCard({ amount: 1, card_number: 'ONCE-1' }, staffOf(other))).status).toBe('active');
  });

  test('D225: an archived customer', async () => {
    const store = sales.newStore();
    await sales.publish(customerMessage(store, { id: 7, archived: true }));
    expect(await sales.refusal(sales.giftCard({ amount: 1, customer_id: 7 }, staffOf(store)))).toMatchObject({
      errors: ['Customer id is archived'],
    });
  });
});

describe('POST /gift_cards/:id/redeem', () => {
  test('takes the amount; the last of it makes the card redeemed; the ledger chains', async () => {
    const store = sales.newStore();
    const { id } = await sales.giftCard({ amount: 20 }, staffOf(store));
    expect(await redeem(id, { amount: '7.505' }, store)).toMatchObject({ balance: 12.49, status: 'active', available_balance: 12.49 });
    expect(await redeem(id, { amount: 12.49 }, store)).toMatchObject({ balance: 0, status: 'redeemed', active: false, expired: false });
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

  test('D211: what is not there cannot be taken: too much, held, redeemed, cancelled, past expiry', async () => {
    const store = sales.newStore();
    const refused = async (card: { id: number }, amount: number) => (await sales.refusal(redeem(card.id, { amount }, store))).errors;
    const card = await sales.giftCard({ amount: 20 }, staffOf(store));
    expect(await refused(card, 20.01)).toEqual(['Gift card has only 20.00 available']);
    await sales.body('HoldGiftCard', { amount: 5 }, staffOf(store), { id: card.id });
    expect(await refused(card, 15.01)).toEqual(['Gift card has only 15.00 available']);
    await redeem(card.id, { amount: 15 }, store);
    await sales.body('CancelGiftCard', {}, staffOf(store), { id: card.id });
    expect(await refused(card, 1)).toEqual(['Gift card is cancelled']);
    const spent = await sales.giftCard({ amount: 1 }, staffOf(store));
    await redeem(spent.id, { amount: 1 }, store);
    expect(await refused(spent, 1)).toEqual(['Gift card is redeemed']);
    const old = await sales.giftCard({ amount: 1, expires_at: '2026-11-20T12:00:00Z' }, staffOf(store));
    expect(await refused(old, 1)).toEqual(['Gift card has expired']);
  });

  test('without an amount a 400, with one that is none a 422, of an unknown card a 404, in that order', async () => {
    const store = sales.newStore();
    const { id } = await sales.giftCard({ amount: 1 }, staffOf(store));
    const refused = (path: number, body: object) => sales.refusal(redeem(path, body, store));
    expect(await refused(0, {})).toEqual({ status: 400, error: 'param is missing or the value is empty: amount' });
    expect(await refused(99_999, { amount: 'x' })).toEqual({ status: 404, error: 'Gift card not found' });
    expect(await refused(id, { amount: 'x', sale_id: 5 })).toMatchObject({
      status: 422,
      errors: ['Amount is not a number', 'Sale id is unknown'],
    });
    expect(await refused(id, { amount: {} })).toMatchObject({ status: 422, errors: ['Amount is invalid'] });
  });

  test('of 20 at the same time exactly as many succeed as the card can pay', async () => {
    const store = sales.newStore();
    const { id } = await sales.giftCard({ amount: 10 }, staffOf(store));
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => redeem(id, { amount: 3 }, store)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect((await sales.byId('GetGiftCard', id, keyOf(store))).gift_card.balance).toBe(1);
  });
});

describe('hold and cancel', () => {
  test('D273: each hold is its own, together they are never more than the balance, and ending one leaves the others', async () => {
    const store = sales.newStore();
    const { id } = await sales.giftCard({ amount: 10 }, staffOf(store));
    const hold = (amount: unknown) => sales.body('HoldGiftCard', { amount }, staffOf(store), { id });
    const release = async (hold_id: number, as = staffOf(store), of = id) =>
      (await sales.call('ReleaseHold', { id: String(of), hold_id: String(hold_id) }, as)).json.gift_card;
    const first = await hold(4);
    expect(first).toMatchObject({ gift_card: { balance: 10, available_balance: 6 }, hold: { amount: 4 } });
    const second = await hold(5.5);
    expect(second).toMatchObject({ gift_card: { available_balance: 0.5 }, hold: { amount: 5.5 } });
    expect(await sales.refusal(hold(0.51))).toMatchObject({ status: 422, errors: ['Gift card has only 0.50 to hold'] });
    expect(await sales.refusal(hold(0))).toMatchObject({ errors: ['Amount must be greater than 0'] });
    expect((await sales.byId('ListHolds', id, staffOf(store))).holds).toEqual([first.hold, second.hold]);
    const other = await sales.giftCard({ amount: 10 }, staffOf(store));
    const unknown = { status: 404, error: 'Hold not found' };
    expect(await sales.refusal(release(first.hold.id, staffOf(store), other.id))).toEqual(unknown);
    const events = await sales.eventsOf(store, async () => {
      expect(await release(first.hold.id)).toMatchObject({ balance: 10, available_balance: 4.5 });
    });
    expect(events.map(({ audit }) => audit)).toMatchObject([
      { action: 'gift_card.update', before: { held: '9.50' }, after: { held: '5.50' } },
    ]);
    expect(await sales.refusal(release(first.hold.id))).toEqual(unknown);
    expect((await sales.byId('ListHolds', id, staffOf(store))).holds).toEqual([second.hold]);
  });

  test('20 holds at once hold no more than there is', async () => {
    const store = sales.newStore();
    const { id } = await sales.giftCard({ amount: 10 }, staffOf(store));
    const held = await Promise.allSettled(
      Array.from({ length: 20 }, () => sales.body('HoldGiftCard', { amount: 3 }, staffOf(store), { id })),
    );
    expect(held.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect((await sales.byId('ListHolds', id, staffOf(store))).holds).toHaveLength(3);
  });

  test('only an active card is cancelled; it keeps its balance and none of it is available', async () => {
    const store = sales.newStore();
    const { id } = await sales.giftCard({ amount: 10 }, staffOf(store));
    const cancel = async () => (await sales.body('CancelGiftCard', {}, staffOf(store), { id })).gift_card;
    expect(await cancel()).toMatchObject({ status: 'cancelled', balance: 10, available_balance: 0, active: false, expired: false });
    expect(await sales.refusal(cancel())).toMatchObject({ status: 422, errors: ['Gift card is cancelled'] });
    const hold = sales.body('HoldGiftCard', { amount: 1 }, staffOf(store), { id });
    expect(await sales.refusal(hold)).toMatchObject({ errors: ['Gift card is cancelled'] });
  });
});
