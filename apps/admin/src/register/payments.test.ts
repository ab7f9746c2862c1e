import { expect, test } from '@jest/globals';
import {
  availableFor,
  changeOf,
  faultOf,
  isTyped,
  type Payment,
  paidByCard,
  roundSums,
  sentPayments,
  type Tender,
  withRest,
} from './payments.ts';

const cash = (amount: string): Payment => ({ method: 'cash', amount });
const debit = (amount: string): Payment => ({ method: 'debit', amount });

test('tenders can be sent when they make up the total', () => {
  expect(faultOf('10.00', [cash('10')])).toBeUndefined();
  expect(faultOf('10.00', [cash('9.99')])).toBe('0.01 is still to pay');
  expect(faultOf('10.00', [{ method: 'gift_card', amount: '10.00' }])).toBe('A gift card needs its number');
  expect(faultOf('10.00', [cash('ten')])).toBe('Every payment needs an amount');
  expect(faultOf('0.30', [cash('0.10'), debit('0.20')])).toBeUndefined();
});

test('cash may be more than is due; no other tender gives change', () => {
  expect([faultOf('0.85', [cash('20')]), changeOf('0.85', [cash('20')])]).toEqual([undefined, '19.15']);
  expect(sentPayments('0.85', [cash('20')])).toEqual([cash('0.85')]);
  expect(sentPayments('10.00', [debit('4.00'), cash('20')])).toEqual([debit('4.00'), cash('6.00')]);
  expect(faultOf('10.00', [debit('12.00')])).toBe('2.00 more than the total, and not in cash');
  expect(faultOf('10.00', [cash('1.00'), debit('12.00')])).toBe('2.00 more than the total, and not in cash');
  // Cash that goes back whole was not paid.
  expect(sentPayments('10.00', [debit('10.00'), cash('5.00')])).toEqual([debit('10.00')]);
});

test('an amount that nobody typed is what others leave: no change is made up', () => {
  const amounts = (...others: Payment[]) => {
    const tenders = [{ key: 0, method: 'cash' as const }, ...others.map((one, index) => ({ ...one, key: 1 + index }))];
    return withRest('10.00', tenders).map(({ amount }) => amount);
  };
  expect([amounts(), amounts(debit('4.00')), amounts(debit('12.00'))]).toEqual([['10.00'], ['6.00', '4.00'], ['0.00', '12.00']]);
});

test('a payment is typed when it is not all of the sale in cash', () => {
  const typed = (...tenders: Partial<Tender>[]) =>
    isTyped(
      '10.00',
      tenders.map((one, key) => ({ key, method: 'cash', ...one })),
    );
  expect([typed({}), typed({ amount: '10.00' }), typed({ amount: '' })]).toEqual([false, false, false]);
  expect([typed({ amount: '20.00' }), typed({ method: 'debit' }), typed({}, {})]).toEqual([true, true, true]);
  // An emptied amount says nothing.
  expect(typed({ method: 'debit', amount: '' })).toBe(false);
});

test('the sums to choose from are those a customer hands over', () => {
  expect([roundSums('0.85'), roundSums('12.50'), roundSums('20.00'), roundSums('50.00')]).toEqual([
    ['10.00', '20.00', '50.00'],
    ['20.00', '50.00'],
    ['50.00'],
    ['60.00'],
  ]);
});

test('a gift card has for one tender what the others leave of it', () => {
  const card = (key: number, amount: string, card_number = 'G-1') => ({ key, method: 'gift_card' as const, amount, card_number });
  expect(availableFor(card(0, '10.00'), [card(0, '10.00')], 10)).toBe('10.00');
  expect(availableFor(card(1, '4.00', ' g-1'), [card(0, '7.5'), card(1, '4.00', ' g-1')], 10)).toBe('2.50');
  expect(availableFor(card(1, '4.00'), [card(0, '12.00'), card(1, '4.00')], 10)).toBe('0.00');
  expect(availableFor(card(1, '4.00', 'G-2'), [card(0, '7.50'), card(1, '4.00', 'G-2')], 10)).toBe('10.00');
});

test('a gift card pays nothing that others pay already, so that no change is made up', () => {
  const card = { key: 0, method: 'gift_card' as const, amount: '2.00', wanted: '10.00' };
  const paid = (available: string, ...others: Payment[]) =>
    paidByCard(card, [card, ...others.map((one, index) => ({ ...one, key: 1 + index }))], '10.00', available);
  expect([paid('50.00'), paid('4.00'), paid('1.00')]).toEqual(['10.00', '4.00', '1.00']);
  expect([paid('50.00', cash('8.00')), paid('50.00', debit('5.00')), paid('1.00', cash('8.00'))]).toEqual(['2.00', '5.00', '1.00']);
  // One that was added where all was paid takes what is left once the card is known.
  const added = { ...card, amount: '0.00', wanted: undefined };
  expect([paidByCard(added, [added], '10.00', '4.00'), paidByCard(added, [added], '10.00', '50.00')]).toEqual(['4.00', '10.00']);
  // Cash of which some goes back.
  expect(paid('50.00', cash('20.00'))).toBe('2.00');
});
