import { expect, test } from '@jest/globals';
import { faultOf, leftOf } from './payments.ts';

test('tenders can be sent when they are exactly the total, each with its amount and a gift card with its number', () => {
  expect(faultOf('10.00', [{ method: 'cash', amount: '10' }])).toBeUndefined();
  expect(faultOf('10.00', [{ method: 'cash', amount: '9.99' }])).toBe('0.01 is still to pay');
  expect(faultOf('10.00', [{ method: 'cash', amount: '12' }])).toBe('2.00 more than the total');
  expect(faultOf('10.00', [{ method: 'gift_card', amount: '10.00' }])).toBe('A gift card needs its number');
  expect(faultOf('10.00', [{ method: 'cash', amount: 'ten' }])).toBe('Every payment needs an amount');
  expect(
    leftOf('0.30', [
      { method: 'cash', amount: '0.10' },
      { method: 'debit', amount: '0.20' },
    ]),
  ).toBe('0.00');
});
