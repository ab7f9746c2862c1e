import { expect, test } from '@jest/globals';
import { ageOn, isBirthday } from './birthday.ts';

test.each([
  ['2026-11-20', '1990-11-20', 36, true],
  ['2026-11-19', '1990-11-20', 35, false],
  ['2026-11-21', '1990-11-20', 36, false],
  ['2026-11-20', '2026-11-20', 0, true],
  ['2026-01-01', '2025-12-31', 0, false],
  ['2026-02-28', '2000-02-29', 25, false],
  ['2026-03-01', '2000-02-29', 26, true],
  ['2028-02-29', '2000-02-29', 28, true],
  ['2028-03-01', '2000-02-29', 28, false],
  ['2100-03-01', '2000-02-29', 100, true],
])('on %s, who was born on %s is %i; birthday: %p', (today, born, age, birthday) => {
  expect([ageOn(today, born), isBirthday(today, born)]).toEqual([age, birthday]);
});

test('a birth that is tomorrow in the store is 0 years ago', () => {
  expect(ageOn('2026-11-20', '2026-11-21')).toBe(0);
});
