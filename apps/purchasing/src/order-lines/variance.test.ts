import { expect, test } from '@jest/globals';
import { unscaled } from '@store/input';
import fc from 'fast-check';
import { type OrderStatus, orderStatuses } from '../purchase-orders/purchase-order.ts';
import { lineTotal, shownLineTotal } from './decimals.ts';
import { type Compared, hasVariance, variancesOf } from './variance.ts';

/** Thousandths and cents as the columns hold them. */
const quantityText = (thousandths: number) => `${Math.floor(thousandths / 1000)}.${String(thousandths % 1000).padStart(3, '0')}`;
const moneyText = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

interface Plain {
  ordered: number;
  received: number;
  invoiced: number | null;
  price: number | null;
  cost: number | null;
}

const asLine = ({ ordered, received, invoiced, price, cost }: Plain): Compared => ({
  quantity_ordered: quantityText(ordered),
  quantity_received: quantityText(received),
  quantity_invoiced: invoiced === null ? null : quantityText(invoiced),
  unit_price: price === null ? null : moneyText(price),
  unit_cost_invoiced: cost === null ? null : moneyText(cost),
});

/** A whole number of 10^-scale units as the JSON number that shows it: digits and a point, and no arithmetic on floats. */
function shown(units: number, scale: number): number {
  const digits = String(Math.abs(units)).padStart(scale + 1, '0');
  return Number(`${units < 0 ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`);
}

/** The specification's table, read line by line. */
function expected({ ordered, received, invoiced, price, cost }: Plain, status: OrderStatus) {
  const state = () => {
    if (received === 0 && ordered === 0) return 'pending';
    if (received === 0) return status === 'received' ? 'short' : 'pending';
    if (ordered === 0) return 'unexpected';
    if (received < ordered) return 'short';
    return received > ordered ? 'over' : 'ok';
  };
  const billed = invoiced !== null;
  // Whole thousandths times whole cents: exact below 2^53.
  const value = billed ? -(received - invoiced) * (cost ?? price ?? 0) : 0;
  return {
    variance_status: state(),
    invoice_variance: billed ? shown(invoiced - ordered, 3) : undefined,
    receiving_variance: billed ? shown(received - invoiced, 3) : undefined,
    fulfillment_variance: shown(received - ordered, 3),
    variance_value: billed ? shown(value, 5) : undefined,
  };
}

/** Small numbers meet each other often, so that equal, zero and near values all occur. */
const amount = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 5_000_000 }));
const plain: fc.Arbitrary<Plain> = fc.record({
  ordered: amount,
  received: amount,
  invoiced: fc.option(amount),
  price: fc.option(amount),
  cost: fc.option(amount),
});

const positive = (value: number | undefined) => (value === undefined ? undefined : value + 0);

test("spec: every variance is the specification's formula, whatever the quantities", () => {
  fc.assert(
    fc.property(plain, fc.constantFrom(...orderStatuses), (line, status) => {
      const found = variancesOf(asLine(line), status);
      const wanted = expected(line, status);
      expect({ ...found, variance_value: positive(found.variance_value) }).toEqual({
        ...wanted,
        variance_value: positive(wanted.variance_value),
      });
    }),
    { numRuns: 5_000 },
  );
});

test('no float dust and no minus zero reaches a client', () => {
  fc.assert(
    fc.property(plain, (line) => {
      const found = variancesOf(asLine(line), 'shipped');
      for (const value of Object.values(found)) {
        if (typeof value !== 'number') continue;
        expect(JSON.stringify(value)).toMatch(/^-?\d+(\.\d{1,5})?$|^-?\d(\.\d+)?e-\d$/);
        expect(Object.is(value, -0)).toBe(false);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('what a column can hold at most is exact, in a difference, a product and a total', () => {
  const columnMax = 10 ** 14 - 1;
  const wide = fc.oneof(fc.integer({ min: 0, max: columnMax }), fc.integer({ min: columnMax - 5, max: columnMax }));
  fc.assert(
    fc.property(wide, wide, wide, wide, (ordered, received, invoiced, price) => {
      const line = asLine({ ordered, received, invoiced, price, cost: null });
      const found = variancesOf(line, 'shipped');
      expect(found.fulfillment_variance).toBe(shown(received - ordered, 3) + 0);
      expect(found.variance_value).toBe(Number(unscaled(BigInt(invoiced - received) * BigInt(price), 5)) + 0);
      const total = shownLineTotal(line.quantity_ordered, line.unit_price);
      expect(total).toBe(Number(unscaled(lineTotal(line.quantity_ordered, line.unit_price), 2)));
    }),
    { numRuns: 5_000 },
  );
});

test('D268: a cost of four decimals makes a total to the cent and an exact value', () => {
  const line = { ...asLine({ ordered: 1_000_000, received: 999_000, invoiced: 1_000_000, price: 0, cost: null }), unit_price: '0.0125' };
  expect(lineTotal('1000.000', '0.0125')).toBe(1_250n);
  expect([shownLineTotal('1000.000', '0.0125'), shownLineTotal('3.000', '0.0117')]).toEqual([12.5, 0.04]);
  expect(variancesOf(line, 'shipped').variance_value).toBe(0.0125);
});

test('spec: has_variance is true if any line is short, over or unexpected', () => {
  fc.assert(
    fc.property(fc.array(plain, { maxLength: 4 }), fc.constantFrom(...orderStatuses), (lines, status) => {
      const states = lines.map((line) => expected(line, status).variance_status);
      expect(hasVariance(lines.map(asLine), status)).toBe(states.some((state) => ['short', 'over', 'unexpected'].includes(state)));
    }),
    { numRuns: 2_000 },
  );
});
