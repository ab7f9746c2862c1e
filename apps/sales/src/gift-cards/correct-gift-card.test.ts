/** D273: what managers correct on a gift card, and its ledger. */
import { expect, test } from '@jest/globals';
import type { Json } from '@store/testbed';
import { clerk, sales, shareSales } from '../../test/sales-under-test.ts';

shareSales();

const issue = (card: object = {}): Promise<Json> => sales.giftCard({ amount: 20, ...card });
const adjust = async (id: number, body: object): Promise<Json> => (await sales.body('AdjustGiftCard', body, clerk, { id })).gift_card;
const extend = async (id: number, expires_at: unknown): Promise<Json> =>
  (await sales.body('UpdateGiftCard', { gift_card: { expires_at } }, clerk, { id })).gift_card;

test('a balance is corrected up and down with a reason; the ledger continues', async () => {
  const { id } = await issue();
  expect(await adjust(id, { amount: '-20', reason: 'Sold twice' })).toMatchObject({ balance: 0, status: 'redeemed' });
  expect(await adjust(id, { amount: 7.5, reason: 'Redeemed by mistake' })).toMatchObject({ balance: 7.5, status: 'active', active: true });
  await sales.redeem(id, { amount: 2.5 });
  const { transactions, pagination } = await sales.byId('ListGiftCardTransactions', id, clerk);
  expect(pagination).toMatchObject({ current_page: 1, per_page: 50, total_count: 4, total_pages: 1 });
  expect(transactions.map((one: Json) => [one.transaction_type, one.amount, one.balance_before, one.balance_after, one.reason])).toEqual([
    ['redeem', -2.5, 7.5, 5, null],
    ['adjust', 7.5, 0, 7.5, 'Redeemed by mistake'],
    ['adjust', -20, 20, 0, 'Sold twice'],
    ['issue', 20, 0, 20, null],
  ]);
});

test('no correction without a reason, of 0, below the held, or of a cancelled card', async () => {
  const { id } = await issue();
  await sales.body('HoldGiftCard', { amount: 15 }, clerk, { id });
  expect((await sales.refusal(adjust(id, { reason: 'x' }))).status).toBe(400);
  for (const [body, error] of [
    [{ amount: 1 }, "Reason can't be blank"],
    [{ amount: 0, reason: 'x' }, 'Amount must not be zero'],
    [{ amount: 'x', reason: 'x' }, 'Amount is not a number'],
    [{ amount: -5.01, reason: 'x' }, 'Gift card has only 5.00 to take'],
    [{ amount: '999999999999.99', reason: 'x' }, 'Amount is too large'],
  ] as const)
    expect(await sales.refused(adjust(id, body))).toEqual([error]);
  await sales.cancel(id);
  expect(await sales.refused(adjust(id, { amount: 1, reason: 'x' }))).toEqual(['Gift card is cancelled']);
  expect(await sales.refused(extend(id, null))).toEqual(['Gift card is cancelled']);
});

test('an expired card can be spent again once it expires later; one can be ended', async () => {
  const { id } = await issue({ expires_at: '2026-11-19' });
  expect(await extend(id, '2027-11-20')).toMatchObject({ status: 'active', active: true, available_balance: 20 });
  expect(await extend(id, '2026-11-19')).toMatchObject({ status: 'expired', active: false });
  expect(await extend(id, null)).toMatchObject({ status: 'active', expires_at: null });
  expect(await sales.refused(extend(id, 'soon'))).toHaveLength(1);
});

test('a paid or voided sale takes no more redemptions; a void gives back earlier ones', async () => {
  const { id } = await issue();
  const line_items = [{ product_id: sales.product(), quantity: 1 }];
  const sale = await sales.create({ line_items });
  expect(await sales.refused(sales.redeem(id, { amount: 1, sale_id: sale.id }))).toEqual(['Sale id is paid already']);
  const parked = await sales.create({ status: 'pending', line_items });
  expect(await sales.redeem(id, { amount: 1, sale_id: parked.id })).toMatchObject({ balance: 19 });
  await sales.update(parked.id, { status: 'voided' });
  expect(await sales.card(id)).toMatchObject({ balance: 20 });
  expect(await sales.refused(sales.redeem(id, { amount: 1, sale_id: parked.id }))).toEqual(['Sale id is voided']);
});
