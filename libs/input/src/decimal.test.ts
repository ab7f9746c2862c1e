import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { scaled, twoDecimals, unscaled } from './decimal.ts';

/** The oracle: compares the exact fraction with the candidate's neighbours, in integers only. */
function isHalfUpOf(digits: bigint, fractionDigits: number, scale: number, candidate: bigint): boolean {
  // |digits/10^f − c/10^s| ≤ 1/2·10^−s, and at exactly one half the magnitude is the larger.
  const wide = 10n ** BigInt(fractionDigits);
  const narrow = 10n ** BigInt(scale);
  const difference = 2n * (digits * narrow - candidate * wide);
  return -wide <= difference && difference < wide;
}

const parts = fc.record({
  negative: fc.boolean(),
  digits: fc.bigInt({ min: 0n, max: 10n ** 20n }),
  fractionDigits: fc.integer({ min: 0, max: 12 }),
});

function textOf({ negative, digits, fractionDigits }: { negative: boolean; digits: bigint; fractionDigits: number }): string {
  const padded = digits.toString().padStart(fractionDigits + 1, '0');
  const cut = padded.length - fractionDigits;
  return `${negative ? '-' : ''}${padded.slice(0, cut)}${fractionDigits > 0 ? `.${padded.slice(cut)}` : ''}`;
}

describe('D41: money is rounded half-up and is never a float', () => {
  test('every decimal text rounds to the nearest, away from zero at the half', () => {
    fc.assert(
      fc.property(parts, fc.constantFrom(0, 2, 3), (number, scale) => {
        const value = scaled(textOf(number), scale)!;
        const magnitude = value < 0n ? -value : value;
        return isHalfUpOf(number.digits, number.fractionDigits, scale, magnitude) && (value === 0n || value < 0n === number.negative);
      }),
      { numRuns: 2_000 },
    );
  });

  test('what was rounded once is unchanged by reading it again', () => {
    fc.assert(
      fc.property(parts, fc.constantFrom(0, 2, 3), (number, scale) => {
        const once = unscaled(scaled(textOf(number), scale)!, scale);
        return unscaled(scaled(once, scale)!, scale) === once;
      }),
    );
  });

  test('there is no "-0.00"', () => {
    fc.assert(fc.property(parts, (number) => !/^-0*\.?0*$/.test(twoDecimals(textOf(number)))));
    for (const text of ['-0', '-0.00', '-0.004', '-.001', '-0e5']) expect(twoDecimals(text)).toBe('0.00');
  });

  test('output always has two decimals', () => {
    fc.assert(fc.property(parts, (number) => /^-?(0|[1-9]\d*)\.\d\d$/.test(twoDecimals(textOf(number)))));
  });

  test.each([
    ['1.005', '1.01'],
    ['-1.005', '-1.01'],
    ['1.0049999999999999999', '1.00'],
    ['2.675', '2.68'],
    ['1e3', '1000.00'],
    ['1.5E-1', '0.15'],
    ['+7.', '7.00'],
    ['.5', '0.50'],
    [' 3.4 ', '3.40'],
    ['0.0000000000000000000000001', '0.00'],
  ])('%s is %s', (text, rounded) => {
    expect(twoDecimals(text)).toBe(rounded);
  });

  test.each(['', ' ', '.', '-', '1,5', '1e', '12abc', '0x10', 'NaN', 'Infinity', '1e9999', '--1', '١', '1'.repeat(61)])(
    '%p is no decimal',
    (text) => {
      expect(scaled(text, 2)).toBeUndefined();
    },
  );

  test('a column that holds no decimal is a defect and not a zero', () => {
    expect(() => twoDecimals('')).toThrow('not a decimal');
  });
});
