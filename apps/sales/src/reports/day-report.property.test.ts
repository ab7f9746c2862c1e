/** Issue: for any day, its report, the payments and the sales agree to the cent, also in split tax and where clocks change. */
import { expect, test } from '@jest/globals';
import { noTax } from '@store/rpc';
import type { Json } from '@store/testbed';
import { countedDay, type ReadSale } from '@store/testbed/day-report';
import { holds } from '@store/testbed/holds';
import fc from 'fast-check';
import { key, manager, newStore, sales, shareSales } from '../../test/sales-under-test.ts';

shareSales();

/** A day on which clocks change, and one on which they do not. */
const days = [
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['Asia/Tokyo', '2026-06-10'],
] as const;
const methods = ['cash', 'debit', 'credit', 'e_transfer', 'green_echeck', 'gift_card'] as const;
const hourMs = 3_600_000;
const line = fc.record({
  quantity: fc.integer({ min: 1, max: 9_999 }),
  price: fc.integer({ min: 0, max: 99_999 }),
  part: fc.integer({ min: 0, max: 100 }),
});
const soldSale = fc.record({
  /** Hours before and after noon of the day, UTC: the days before and after it are reached. */
  at: fc.integer({ min: -40 * 3_600, max: 40 * 3_600 }),
  lines: fc.array(line, { minLength: 1, maxLength: 4 }),
  tenders: fc.array(fc.record({ method: fc.constantFrom(...methods), share: fc.integer({ min: 1, max: 9 }) }), {
    minLength: 1,
    maxLength: 4,
  }),
  surcharge: fc.boolean(),
  voidedAfterHours: fc.option(fc.integer({ min: 0, max: 30 })),
});
const rates = fc.tuple(fc.integer({ min: 0, max: 200_000 }), fc.integer({ min: 0, max: 200_000 }));

test('reports of neighbouring days are the sums of sales, voids, tenders and taxes', async () => {
  await holds(
    fc.asyncProperty(
      fc.constantFrom(...days),
      rates,
      fc.array(soldSale, { minLength: 1, maxLength: 6 }),
      async ([timeZone, date], tax, sold) => {
        const [gstRate, pstRate] = tax.map((rate) => (rate / 10_000).toFixed(4)) as [string, string];
        const taxed = { ...noTax, mode: 'split', gstRate, gstName: 'GST', pstRate, pstName: 'PST' };
        newStore({ timeZone, tax: taxed });
        const noon = Date.parse(`${date}T12:00:00Z`);
        sales.clock.set(new Date(noon - 60 * hourMs));
        const { card_number } = await sales.giftCard({ amount: 1_000_000 });
        for (const sale of sold) await sell(sale, noon, card_number);
        sales.clock.set(new Date(noon + 100 * hourMs));
        const read = await readSales();
        // A tender's surcharge is in no total.
        for (const { payments, total } of read) expect(sum(payments, 'amount')).toBe(total);
        for (const daysLater of [-1, 0, 1]) {
          const asked = new Date(noon + daysLater * 24 * hourMs).toISOString().slice(0, 10);
          const report = await sales.query('GetDayReport', `date=${asked}`, manager);
          const counted = countedDay(asked, timeZone, read);
          expect(report).toMatchObject(counted);
          addsUp(report);
        }
      },
    ),
    { numRuns: 40 },
  );
});

async function sell(
  { at, lines, tenders, surcharge, voidedAfterHours }: typeof soldSale extends fc.Arbitrary<infer Sold> ? Sold : never,
  noon: number,
  card_number: string,
): Promise<void> {
  const soldAt = noon + at * 1_000;
  sales.clock.set(new Date(soldAt));
  const tea = sales.product({ price: '10.00' });
  const line_items = lines.map(({ quantity, price, part }) => ({
    product_id: tea,
    quantity: (quantity / 1_000).toFixed(3),
    unit_price: (price / 100).toFixed(2),
    discount_amount: (Math.floor((quantity * price * part) / 100_000 / 100) / 100).toFixed(2),
  }));
  const { id, total } = await sales.create({ status: 'pending', line_items });
  const payments = sharesOf(Math.round(Number(total) * 100), tenders).map((one) =>
    one.method === 'gift_card' ? { ...one, card_number } : one,
  );
  const surcharged = surcharge && payments.some(({ method }) => method === 'green_echeck');
  await sales.update(id, { status: 'completed', payments, ...(surcharged && { green_echeck_surcharge: '1.50' }) });
  if (voidedAfterHours === null) return;
  sales.clock.set(new Date(soldAt + voidedAfterHours * hourMs));
  await sales.update(id, { status: 'voided' });
}

/** The total in the proportion of the shares; the last tender is what is left. */
function sharesOf(cents: number, tenders: { method: string; share: number }[]) {
  const all = tenders.reduce((sum, { share }) => sum + share, 0);
  let left = cents;
  return tenders.flatMap(({ method, share }, index) => {
    const amount = index === tenders.length - 1 ? left : Math.floor((cents * share) / all);
    left -= amount;
    return amount === 0 ? [] : [{ method, amount: (amount / 100).toFixed(2) }];
  });
}

async function readSales(): Promise<ReadSale[]> {
  const { sales: all } = await sales.list('start_date=2026-01-01&end_date=2026-12-31&per_page=100');
  return Promise.all(all.map(async (sale: Json) => ({ ...sale, ...(await sales.byId('GetSalePayments', sale.id, key)) })));
}

const sum = (rows: Json[], name: string) => (rows.reduce((all, row) => all + Math.round(Number(row[name]) * 100), 0) / 100).toFixed(2);

/** Within the report: taxes and tenders are its totals, and what cards moved for sales is what they paid. */
function addsUp({ sales: sold, voids, net, taxes, tenders, gift_cards }: Json): void {
  expect([sum(taxes, 'sales'), sum(taxes, 'voids'), sum(taxes, 'net')]).toEqual([sold, voids, net].map((one) => one.tax_amount));
  expect([sum(tenders, 'taken'), sum(tenders, 'given_back'), sum(tenders, 'net')]).toEqual([sold, voids, net].map((one) => one.total));
  const byCard = tenders.filter(({ method }: Json) => method === 'gift_card');
  const ofType = (type: string) => gift_cards.filter((one: Json) => one.transaction_type === type);
  const moved = (type: string) => sum(ofType(type), 'amount');
  expect([moved('refund'), (0 - Number(moved('redeem'))).toFixed(2)]).toEqual([sum(byCard, 'given_back'), sum(byCard, 'taken')]);
}
