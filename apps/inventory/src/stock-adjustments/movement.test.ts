import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { changeOf, fits, quantityText, thousandths } from './movement.ts';

const stock = fc.bigInt({ min: -(10n ** 14n) + 1n, max: 10n ** 14n - 1n });
const amount = fc.bigInt({ min: 0n, max: 10n ** 14n - 1n });

test('a quantity read from its column and written again is the same text', () => {
  fc.assert(fc.property(stock, (value) => thousandths(quantityText(value)) === value));
});

test('subtract never goes below zero and never adds', () => {
  fc.assert(
    fc.property(stock, amount, (before, down) => {
      const after = before + changeOf({ down: quantityText(down) }, before);
      expect(after <= before).toBe(true);
      expect(after >= 0n || after === before).toBe(true);
    }),
  );
});

test('set ends at what was set, wherever it began', () => {
  fc.assert(fc.property(stock, amount, (before, to) => before + changeOf({ to: quantityText(to) }, before) === to));
});

test('D166: NUMERIC(14,3) holds eleven digits before the point', () => {
  expect(fits(thousandths('99999999999.999'))).toBe(true);
  expect(fits(thousandths('100000000000'))).toBe(false);
  expect(fits(thousandths('-99999999999.999'))).toBe(true);
  expect(fits(thousandths('-100000000000'))).toBe(false);
});
