import { describe, expect, test } from '@jest/globals';
import { aboveZero, atMost, endField, filled } from './bounds.ts';
import { integerField, moneyField, parseFields } from './values.ts';

const judged = (field: Parameters<typeof parseFields>[0][string], text: string) => {
  const { values, errors } = parseFields({ field }, { field: text });
  return errors.field ?? values.field;
};

test('D47: a required field refuses blanks, and passes on what its field refuses', () => {
  const field = filled(integerField(0, 9));
  expect(judged(field, '3')).toBe(3);
  expect(judged(field, ' ')).toEqual(["can't be blank"]);
  expect(judged(field, '10')).toEqual(['must be between 0 and 9']);
});

test('a decimal is at most its maximum after rounding', () => {
  const field = atMost(moneyField(), 100);
  expect(judged(field, '100.004')).toBe('100.00');
  expect(judged(field, '100.005')).toEqual(['must be less than or equal to 100']);
  expect(judged(field, '')).toBeNull();
  expect(judged(field, 'x')).toEqual(['is not a number']);
});

test('a decimal is above 0 after rounding', () => {
  const field = aboveZero(moneyField());
  expect(judged(field, '0.005')).toBe('0.01');
  expect(judged(field, '0.004')).toEqual(['must be greater than 0']);
  expect(judged(field, '-1')).toEqual(['must be greater than or equal to 0']);
  expect(judged(field, '')).toBeNull();
});

describe('D231: an end', () => {
  test.each([
    ['2026-11-30', 'Europe/London', '2026-12-01T00:00:00.000Z'],
    // The day after is 25 hours long.
    ['2026-10-24', 'Europe/London', '2026-10-24T23:00:00.000Z'],
    ['2026-10-25', 'Europe/London', '2026-10-26T00:00:00.000Z'],
    ['20261130', 'Asia/Kolkata', '2026-11-30T18:30:00.000Z'],
    ['2026-11-30T10:00', 'America/New_York', '2026-11-30T15:00:00.000Z'],
    ['2026-11-30T00:00:00Z', 'America/New_York', '2026-11-30T00:00:00.000Z'],
  ])('%s in %s is %s', (text, timeZone, end) => {
    expect(judged(endField(timeZone), text)).toEqual(new Date(end));
  });

  test('blank is none, and what is no time is refused', () => {
    expect(judged(endField('UTC'), ' ')).toBeNull();
    expect(judged(endField('UTC'), 'soon')).toEqual(['must be a valid timestamp']);
  });
});
