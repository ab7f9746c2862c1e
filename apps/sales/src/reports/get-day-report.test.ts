/** GET /reports/day (D266): a day's end, in the store's time zone. */
import { describe, expect, test } from '@jest/globals';
import { noTax } from '@store/rpc';
import type { Json } from '@store/testbed';
import { key, manager, newStore, paid, sales, sell, shareSales } from '../../test/sales-under-test.ts';

const tax = { ...noTax, mode: 'split', gstRate: '5', gstName: 'GST', pstRate: '9.975', pstName: 'QST' };
const timeZone = 'America/New_York';
shareSales({ tax, timeZone }, { price: '10.00' });

const report = async (date: string, caller = manager): Promise<Json> => sales.query('GetDayReport', `date=${date}`, caller);
const voidSale = (id: number) => sales.update(id, { status: 'voided' }, manager);
const noDrawers = { closed: [], difference: '0.00', open: 0, movements: [] };
const zero = { count: 0, subtotal: '0.00', discount_amount: '0.00', tax_amount: '0.00', total: '0.00', green_echeck_surcharge: '0.00' };

test("golden: a sale counts on its completion's day, a void on its own, cards as moved", async () => {
  sales.clock.set('2026-11-19T20:00:00.000Z');
  const older = await sell({ payment_method: 'debit' }, manager);
  sales.clock.set('2026-11-20T12:00:00.000Z');
  const card = await sales.giftCard({ amount: 50 });
  const drawer = await sales.body('OpenCashDrawerSession', { opening_float: 100 }, manager);
  const payments = paid(['gift_card', '5.00', card.card_number], ['cash', '5.35']);
  await sell({ discount_amount: '1.00', payments }, manager);
  const gone = await sell({ payment_method: 'cash' }, manager);
  await voidSale(gone.id);
  await voidSale(older.id);
  await sell({ status: 'pending' }, manager);
  const { id } = drawer.cash_drawer_session;
  const moved = await sales.body('MoveDrawerCash', { amount: '-2', reason: 'Milk' }, manager, { id });
  const closed = await sales.body('CloseCashDrawerSession', { counted: '103' }, manager, { id });
  sales.customers.sums = [{ transaction_type: 'issue', count: 2, amount: '25.50' }];

  const { text } = await sales.call('GetDayReport', { date: '2026-11-20' }, manager);
  const sums = (count: number, subtotal: string, discount_amount: string, tax_amount: string, total: string) => ({
    ...{ count, subtotal, discount_amount, tax_amount, total },
    green_echeck_surcharge: '0.00',
  });
  expect(text).toBe(
    JSON.stringify({
      date: '2026-11-20',
      time_zone: timeZone,
      from: '2026-11-20T05:00:00.000Z',
      to: '2026-11-21T05:00:00.000Z',
      sales: sums(2, '20.00', '1.00', '2.85', '21.85'),
      voids: sums(2, '20.00', '0.00', '3.00', '23.00'),
      net: sums(0, '0.00', '1.00', '-0.15', '-1.15'),
      taxes: [
        { name: 'GST', rate: '5.00', sales: '0.95', voids: '1.00', net: '-0.05' },
        { name: 'QST', rate: '9.975', sales: '1.90', voids: '2.00', net: '-0.10' },
      ],
      tenders: [
        { method: 'cash', taken: '16.85', given_back: '11.50', net: '5.35' },
        { method: 'debit', taken: '0.00', given_back: '11.50', net: '-11.50' },
        { method: 'gift_card', taken: '5.00', given_back: '0.00', net: '5.00' },
      ],
      drawers: { closed: [closed.cash_drawer_session], difference: '-0.35', open: 0, movements: [moved.movement] },
      gift_cards: [
        { transaction_type: 'issue', count: 1, amount: '50.00' },
        { transaction_type: 'redeem', count: 1, amount: '-5.00' },
      ],
      store_credits: [{ transaction_type: 'issue', count: 2, amount: '25.50' }],
    }),
  );
  expect(closed.cash_drawer_session).toMatchObject({ expected: '103.35', difference: '-0.35' });
  expect(sales.customers.summed).toEqual({ from: '2026-11-20T05:00:00.000Z', to: '2026-11-21T05:00:00.000Z' });
  // The void left the day of the older sale as it was.
  expect(await report('2026-11-19')).toMatchObject({ sales: { count: 1, total: '11.50' }, voids: zero });
});

test("a day has its first moment and not the next day's, also where clocks change", async () => {
  const [from, to] = ['2026-04-04T13:00:00.000Z', '2026-04-05T13:30:00.000Z'] as const;
  const plain = { ...manager, timeZone: 'Australia/Lord_Howe', tax: noTax };
  for (const at of [from, to]) {
    for (const ms of [-1, 0]) {
      const completed_at = new Date(Date.parse(at) + ms).toISOString();
      await sell({ completed_at }, plain);
    }
  }
  expect(await report('2026-04-05', plain)).toMatchObject({ from, to, sales: { count: 2, total: '20.00' } });
});

describe('what is refused and what is not seen', () => {
  test('a day that has not begun in the store is a 422, a day of long ago has zeros', async () => {
    sales.clock.set('2026-11-21T04:59:59.999Z');
    const errors = ['Date must not be after today, 2026-11-20'];
    expect(await sales.refusal(report('2026-11-21'))).toMatchObject({ status: 422, errors });
    sales.clock.set('2026-11-21T05:00:00.000Z');
    const nothing = { taxes: [], tenders: [], drawers: noDrawers, gift_cards: [], store_credits: [] };
    for (const date of ['2026-11-21', '0001-01-01'])
      expect(await report(date)).toMatchObject({ sales: zero, voids: zero, net: zero, ...nothing });
  });

  test('another store sees none of it', async () => {
    await sell({}, manager);
    await sales.giftCard({ amount: 50 });
    const drawer = await sales.body('OpenCashDrawerSession', { opening_float: 100 }, manager);
    await sales.body('CloseCashDrawerSession', { counted: '105' }, manager, { id: drawer.cash_drawer_session.id });
    newStore();
    expect(await report('2026-11-20', key)).toMatchObject({ sales: zero, tenders: [], drawers: noDrawers, gift_cards: [] });
  });

  test('without customers the report is refused and not shown without its credit', async () => {
    sales.customers.isDown = true;
    expect(await sales.refusal(report('2026-11-20'))).toMatchObject({ status: 500 });
  });
});
