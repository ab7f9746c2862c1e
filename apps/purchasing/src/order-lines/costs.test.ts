import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { landedCost, unitCost } from './costs.ts';
import { divided, lineTotal } from './decimals.ts';
import type { LineRow } from './order-line.ts';

const ordered = { quantity_ordered: '10.000', unit_price: '2.00', unit_cost_invoiced: null };
const line = (fields: Partial<LineRow>) => ({ ...ordered, ...fields }) as LineRow;

test('D246: the unit cost is the invoiced one, else the ordered one, else null', () => {
  expect(unitCost(line({ unit_cost_invoiced: '1.10' }))).toBe('1.10');
  expect(unitCost(line({}))).toBe('2.00');
  expect(unitCost(line({ unit_price: null }))).toBeNull();
  expect(landedCost(line({ unit_price: null }), { subtotal: '20.00', shippingCost: '5.00' })).toBeNull();
});

test.each([
  // Half of the order's value has half of 9.00, over 10 units.
  [{}, { subtotal: '40.00', shippingCost: '9.00' }, '2.45'],
  [{ unit_cost_invoiced: '3.00' }, { subtotal: '40.00', shippingCost: '9.00' }, '3.45'],
  // What was not ordered, and an order of no value, have no share.
  [{ quantity_ordered: '0.000' }, { subtotal: '40.00', shippingCost: '9.00' }, '2.00'],
  [{ unit_price: '0.00' }, { subtotal: '0.00', shippingCost: '9.00' }, '0.00'],
  // 2.00 + 0.10 × 20 / 20 / 10 = 2.01; half a cent goes up.
  [{}, { subtotal: '20.00', shippingCost: '0.05' }, '2.01'],
  [{}, { subtotal: '20.00', shippingCost: '0.04' }, '2.00'],
  // D268: 0.0125 + 0.05 × 0.13 / 0.13 / 10 = 0.0175; what a unit costs is rounded once.
  [{ unit_price: '0.0125' }, { subtotal: '0.13', shippingCost: '0.05' }, '0.02'],
  [{ unit_price: '0.0049' }, { subtotal: '0.00', shippingCost: '0.00' }, '0.00'],
])('D168: the landed cost of %j in %j is %s', (fields, shipping, wanted) => {
  expect(landedCost(line(fields), shipping)).toBe(wanted);
});

test('the shares of all units of all lines are the shipping, to a cent per unit', () => {
  const quantity = fc.integer({ min: 1, max: 50 });
  const price = fc.integer({ min: 1, max: 100_000 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(quantity, price), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 0, max: 100_000 }),
      (lines, cents) => {
        const text = (value: number) => (value / 100).toFixed(2);
        const subtotal = lines.reduce((sum, [units, unitPrice]) => sum + units * unitPrice, 0);
        const shared = lines.reduce((sum, [units, unitPrice]) => {
          const ordered = line({ quantity_ordered: `${units}.000`, unit_price: text(unitPrice) });
          const landed = landedCost(ordered, { subtotal: text(subtotal), shippingCost: text(cents) })!;
          return sum + units * (Math.round(Number(landed) * 100) - unitPrice);
        }, 0);
        const units = lines.reduce((sum, [count]) => sum + count, 0);
        expect(Math.abs(shared - cents)).toBeLessThanOrEqual(units / 2);
      },
    ),
  );
});

test('a line total is rounded half-up to cents', () => {
  expect(lineTotal('0.005', '1.00')).toBe(1n);
  expect(lineTotal('0.004', '1.00')).toBe(0n);
  expect(lineTotal('2.500', '0.33')).toBe(83n);
  expect(lineTotal('3.000', null)).toBe(0n);
  expect(divided(1n, 2n)).toBe(1n);
});
