/** What the demo store's past is made of, before the first request. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { demoProducts } from '../products.ts';
import { row } from '../transactions.testing.ts';
import { readTransactions } from '../transactions.ts';
import { datesOf, localTime } from './dates.ts';
import { linesMax, tradeOf } from './invoices.ts';
import { personOf } from './people.ts';

const skus = new Set(['71053', '85123A']);

describe('trade', () => {
  test('an invoice is a sale of its priced products; other and free lines are none', () => {
    const { sold } = tradeOf([row(), row({ code: 'POST' }), row({ code: '85123a', pence: 0 }), row({ quantity: -2 })], skus);
    expect(sold).toEqual([
      {
        invoice: '536365',
        at: '2010-12-01T08:26',
        customer: '17850',
        country: 'United Kingdom',
        lines: [{ sku: '71053', quantity: 6, pence: 339 }],
        voided: false,
      },
    ]);
    expect(tradeOf([row({ code: 'POST' })], skus).sold).toEqual([]);
  });

  test('D218: a sale is voided when one cancellation of its customer takes back all', () => {
    const whole = tradeOf(
      [row(), row({ code: '85123A' }), row({ invoice: 'C1', code: '85123A', quantity: -6 }), row({ invoice: 'C1', quantity: -6 })],
      skus,
    );
    expect([whole.sold.map(({ voided }) => voided), whole.returned]).toEqual([[true], []]);
    const part = tradeOf([row(), row({ code: '85123A' }), row({ invoice: 'C1', quantity: -6 })], skus);
    expect([part.sold.map(({ voided }) => voided), part.returned]).toEqual([[false], [{ invoice: 'C1', sku: '71053', quantity: 6 }]]);
    const another = tradeOf([row(), row({ invoice: 'C1', quantity: -6, customer: '13000' })], skus);
    expect(another.sold.map(({ voided }) => voided)).toEqual([false]);
  });

  test('D200: an invoice of more than 500 lines becomes several sales', () => {
    const { sold } = tradeOf(
      Array.from({ length: linesMax + 1 }, () => row()),
      skus,
    );
    expect(sold.map(({ invoice, lines }) => [invoice, lines.length])).toEqual([
      ['536365-1', linesMax],
      ['536365-2', 1],
    ]);
  });

  test("the repository's data holds 426 sales of 9,818 lines, 98 returns and no void", () => {
    const rows = readTransactions();
    const products = new Set(demoProducts(rows).map(({ sku }) => sku));
    const { sold, returned } = tradeOf(rows, products);
    const lines = sold.flatMap((invoice) => invoice.lines);
    expect({
      sales: sold.length,
      lines: lines.length,
      returned: returned.length,
      voided: sold.filter(({ voided }) => voided).length,
    }).toEqual({
      sales: 426,
      lines: 9_818,
      returned: 98,
      voided: 0,
    });
  });
});

describe('dates', () => {
  const times = ['2010-12-01T08:26', '2010-12-03T17:00', '2010-12-05T10:03', '2010-12-05T19:30'];
  const now = new Date('2026-11-21T12:00:00Z');
  const shifted = datesOf(times, 'shifted', now, 'Europe/London');

  test("kept, they are the data's; shifted, those of the last days, with yesterday", () => {
    expect(datesOf(times, 'kept', now, 'Europe/London')('2010-12-01T08:26')).toBe('2010-12-01T08:26:00');
    expect(times.map((at) => shifted(at).slice(0, 10))).toEqual(['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-21']);
    expect(shifted('2010-12-03T17:00')).toBe('2026-11-20T17:00:00');
  });

  test('no sale is in the future and their order stays, at any time of day in any zone', () => {
    const zones = ['Europe/London', 'America/Toronto', 'Asia/Kolkata', 'Pacific/Apia'];
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 * 86_400 }), fc.constantFrom(...zones), (seconds, timeZone) => {
        const at = new Date(Date.parse('2026-11-21T00:00:00Z') + seconds * 1_000);
        const dateOf = datesOf(times, 'shifted', at, timeZone);
        const dates = times.map(dateOf);
        expect(dates.toSorted()).toEqual(dates);
        expect(dates.at(-1)! <= localTime(at, timeZone)).toBe(true);
        expect(dates.at(-1)!.slice(0, 10)).toBe(localTime(at, timeZone).slice(0, 10));
      }),
    );
  });
});

test('a customer of the data is always the same person', () => {
  expect(personOf('17850', 'United Kingdom')).toEqual(personOf('17850', 'United Kingdom'));
  const customers = [...new Set(readTransactions().map(({ customer }) => customer))].filter((customer) => customer !== '');
  const people = customers.map((customer) => personOf(customer, 'United Kingdom'));
  for (const unique of ['email', 'phone', 'loyalty_card_number'] as const)
    expect(new Set(people.map((person) => person[unique])).size).toBe(customers.length);
});
