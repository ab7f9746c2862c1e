/** Line sums, discounts and taxes against a calculation with fractions, which shares nothing with the code under test. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { grossOf, taxRatesOf, totalsOf } from './totals.ts';

interface Fraction {
  over: bigint;
  under: bigint;
}

const fraction = (text: string): Fraction => {
  const [, sign, whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)!;
  const over = BigInt(`${whole}${decimals}`);
  return { over: sign ? -over : over, under: 10n ** BigInt(decimals.length) };
};
const plus = (a: Fraction, b: Fraction): Fraction => ({ over: a.over * b.under + b.over * a.under, under: a.under * b.under });
const times = (a: Fraction, b: Fraction): Fraction => ({ over: a.over * b.over, under: a.under * b.under });
/** Whole cents, half away from zero: the largest whole number that is not above the amount and a half. */
const inCents = ({ over, under }: Fraction): bigint => {
  const doubled = (over < 0n ? -over : over) * 200n;
  const cents = (doubled + under) / (2n * under);
  return over < 0n ? -cents : cents;
};
const text = (cents: bigint): string => {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

const decimal = (places: number, min: number, max: number) =>
  fc.integer({ min, max }).map((value) => {
    const digits = Math.abs(value)
      .toString()
      .padStart(places + 1, '0');
    return `${value < 0 ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
  });
const modifier = fc.record({ quantity: decimal(3, 0, 9_999), price_adjustment: decimal(2, -5_000, 5_000) });
const line = fc.record({
  quantity: decimal(3, 1, 99_999_999),
  unit_price: decimal(2, 0, 9_999_999),
  modifiers: fc.array(modifier, { maxLength: 4 }),
  /** How much of the line is discounted. */
  part: fc.integer({ min: 0, max: 100 }),
});
const rate = decimal(4, 0, 300_000);

test('D216: a line is round(quantity × (unit price + modifiers)), half away from zero', () => {
  fc.assert(
    fc.property(line, (one) => {
      const each = one.modifiers.reduce(
        (all, m) => plus(all, times(fraction(m.quantity), fraction(m.price_adjustment))),
        fraction(one.unit_price),
      );
      expect(grossOf(one)).toBe(inCents(times(fraction(one.quantity), each)));
    }),
    { numRuns: 2_000 },
  );
});

test('D163, D217: subtotal, discounts, tax components and total add up to the cent', () => {
  const sale = fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 12 }),
    rates: fc.array(rate, { maxLength: 2 }),
    part: fc.integer({ min: 0, max: 100 }),
  });
  fc.assert(
    fc.property(sale, ({ lines, rates, part }) => {
      const priced = lines.map((one) => {
        const gross = grossOf(one) < 0n ? 0n : grossOf(one);
        const discount = (gross * BigInt(one.part)) / 100n;
        return { gross, discount, total: text(gross - discount), discount_amount: text(discount) };
      });
      const gross = priced.reduce((all, one) => all + one.gross, 0n);
      const ofLines = priced.reduce((all, one) => all + one.discount, 0n);
      const ofSale = ((gross - ofLines) * BigInt(part)) / 100n;
      const taxable = gross - ofLines - ofSale;
      const tax = rates.reduce((all, one) => all + inCents(times(fraction(one), { over: taxable, under: 10_000n })), 0n);
      const before = { subtotal: text(gross), discount_amount: text(ofLines + ofSale) };
      expect(totalsOf(priced, text(ofSale), rates)).toEqual({ ...before, tax_amount: text(tax), total: text(taxable + tax) });
    }),
    { numRuns: 1_000 },
  );
});

test('D217: split tax rounds once per component; the mode decides, no rate is 0', () => {
  const block = { mode: 'split', rate: '13', gstRate: '5', pstRate: '9.975' };
  expect(taxRatesOf(block)).toEqual(['5.0000', '9.9750']);
  const totals = totalsOf([{ total: '10.10', discount_amount: '0.00' }], '0.00', taxRatesOf(block));
  expect(totals).toMatchObject({ tax_amount: '1.52', total: '11.62' });
  expect(taxRatesOf({ ...block, mode: 'single' })).toEqual(['13.0000']);
  expect(taxRatesOf({ ...block, mode: 'single', rate: '' })).toEqual(['0.0000']);
  expect(taxRatesOf({ ...block, mode: 'none' })).toEqual([]);
});

test('D166: a sum that no column can hold is refused', () => {
  const most = { total: '999999999999.99', discount_amount: '0.00' };
  expect(totalsOf([most], '0.00', [])).toMatchObject({ total: '999999999999.99' });
  expect(totalsOf([most, most], '0.00', [])).toBeUndefined();
  expect(totalsOf([most], '0.00', ['10'])).toBeUndefined();
});
