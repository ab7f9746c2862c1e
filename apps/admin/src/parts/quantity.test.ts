import { afterEach, expect, test } from '@jest/globals';
import { speak } from '../language/t.ts';
import { isNoQuantity, oneMore, quantityText, readQuantity } from './quantity.ts';

afterEach(() => speak('en', {}));

const read = (...typed: string[]) => typed.map(readQuantity);

test('a quantity is read as people type it', () => {
  expect(read('3', ' 12,5 ', '0.125', '0,850', '-3', '− 2', '1 000', "12'000.5", '.5', '7.', '1234,567')).toEqual([
    3, 12.5, 0.125, 0.85, -3, -2, 1_000, 12_000.5, 0.5, 7, 1_234.567,
  ]);
});

test('what is none, or could be two, is refused; a code is none', () => {
  expect(read('', '-', '.', 'x', '1e3', '1.2345', '1,000', '-1,000', '5 00', '12345678', '5000000000017')).toEqual(
    Array(11).fill(undefined),
  );
  expect(read('1.000')).toEqual([1]);
  speak('fr', {});
  expect(read('1.000', '1,000', '1,5')).toEqual([undefined, 1, 1.5]);
  expect([quantityText(1.5), quantityText('1.x'), quantityText('')]).toEqual(['1,5', '1.x', '']);
});

test('a scan adds one to a quantity, and nothing to what is none', () => {
  expect([oneMore(''), oneMore(0.7), oneMore('1,000'), oneMore()]).toEqual([1, 1.7, '1,000', 1]);
  expect([isNoQuantity(''), isNoQuantity(1), isNoQuantity('x')]).toEqual([false, false, true]);
});
