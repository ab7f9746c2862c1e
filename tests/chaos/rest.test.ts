/** The wait until the system is idle is long enough on a slow machine, and bounded. */
import { expect, test } from '@jest/globals';
import { Rest } from './rest.ts';

test('a decreasing amount is waited for, however long it takes', () => {
  const rest = new Rest(1_000, 0);
  const history = [
    { stage: 0, left: 5 },
    { stage: 0, left: 1 },
    { stage: 1, left: 90 },
    { stage: 2, left: 3_000 },
    { stage: 2, left: 2_999 },
  ];
  expect(history.map((motion, n) => rest.isStuck(motion, n * 900))).toEqual([false, false, false, false, false]);
});

test('an amount that stays, grows, or varies without decreasing is stuck', () => {
  const rest = new Rest(1_000, 0);
  expect(rest.isStuck({ stage: 2, left: 10 }, 500)).toBe(false);
  expect(rest.isStuck({ stage: 0, left: 1 }, 1_000)).toBe(false);
  expect(rest.isStuck({ stage: 2, left: 11 }, 1_500)).toBe(false);
  expect(rest.isStuck({ stage: 2, left: 10 }, 1_501)).toBe(true);
});
