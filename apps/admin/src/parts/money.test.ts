import { describe, expect, test } from '@jest/globals';
import { speak } from '../language/t.ts';
import { centsOf, fieldText, readMoney, readUnitCost, shownMoney, shownUnitCost, textOf, timesQuantity, unitCostText } from './money.ts';

describe('money', () => {
  test('is read as cents, and what is no amount is refused', () => {
    const cents = [1250n, 5n, 50n, 700n, -320n, 9007199254740993n];
    expect(['12.5', '0.05', '.5', '7', '-3.20', '90071992547409.93'].map(centsOf)).toEqual(cents);
    expect(['', '.', 'abc', '1.234', '1,00', '--1'].map(centsOf)).toEqual(Array(6).fill(undefined));
  });

  test('is understood as people type it, unless it could be two amounts', () => {
    const typed = ['12,50', '£1,012.50', '1 012,50', '1.012,50', '1,012', '.5', '5,', '-3', '90071992547409.93'];
    const read = ['12.50', '1012.50', '1012.50', '1012.50', '1012.00', '0.50', '5.00', '-3.00', '90071992547409.93'];
    expect(typed.map(readMoney)).toEqual(read);
    const signed = ['1 012 345,5', '- 3', '12,50 €', '-£3', '£-3'];
    expect(signed.map(readMoney)).toEqual(['1012345.50', '-3.00', '12.50', '-3.00', '-3.00']);
    const none = ['12.345', '0,850', '1.2.3', '1,0123', '1,01,2', 'ten', '', '.', '40 50', '12 50', '1 0125', '1e5', '12€50', '0€50'];
    expect(none.map(readMoney)).toEqual(none.map(() => undefined));
  });

  test('is shown and typed as the language has it', () => {
    speak('fr', {});
    try {
      expect(['1234567.5', '-0.1'].map((amount) => shownMoney(amount, '£'))).toEqual(['1\u202f234\u202f567,50\u00a0£', '−0,10\u00a0£']);
      expect(['12.50', '', '12.345'].map(fieldText)).toEqual(['12,50', '', '12.345']);
      expect(readMoney(fieldText('12.50'))).toBe('12.50');
      // A comma parts decimals there: of `1,250` nobody can tell which it is.
      const read = [undefined, undefined, undefined, '1250.00', '1250.50'];
      expect(['1,250', '12,345', '1.250', '1 250', '1.250,5'].map(readMoney)).toEqual(read);
      expect(readUnitCost('1,250')).toBeUndefined();
    } finally {
      speak('en', {});
    }
  });

  test('is shown with the currency, thousands and two decimals', () => {
    const shown = ['£1,234,567.50', '£3.00', '−£0.10', '–', 'n/a'];
    expect(['1234567.5', 3, '-0.1', null, 'n/a'].map((amount) => shownMoney(amount, '£'))).toEqual(shown);
    expect(textOf(-5n)).toBe('-0.05');
  });

  test('of one piece has four decimals where it needs them', () => {
    expect([0.0125, 12.3, 1234.567].map(unitCostText)).toEqual(['0.0125', '12.30', '1234.5670']);
    expect([0.0125, 12.3, 1234.567].map((cost) => shownUnitCost(cost, '£'))).toEqual(['£0.0125', '£12.30', '£1,234.5670']);
    const typed = ['0.0125', '0,125', '.0125', '12.3450', '£12,3450', '12,5', '1 012,50', '-0.0125', '12.345', '0.01251', 'ten'];
    const read = ['0.0125', '0.1250', '0.0125', '12.3450', '12.3450', '12.50', '1012.50', '-0.0125', undefined, undefined, undefined];
    expect(typed.map(readUnitCost)).toEqual(read);
  });

  test('times a quantity is rounded half up, both ways', () => {
    const times = [timesQuantity(333n, 1.5), timesQuantity(-333n, 1.5), timesQuantity(199n, 3), timesQuantity(100n, 0.125)];
    expect(times).toEqual([500n, -500n, 597n, 13n]);
  });
});
