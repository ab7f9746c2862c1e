import { expect, test } from '@jest/globals';
import { untilNothingLeft } from './until.ts';

const inTurn = (amounts: number[]) => async () => (amounts.length > 1 ? amounts.shift()! : amounts[0]!);

test('an amount that decreases is waited for, however long it takes', async () => {
  expect(await untilNothingLeft(inTurn([90, 3_000, 12, 0]), 60_000)).toBe(0);
});

test('an amount that stays, grows, or varies without decreasing is given up', async () => {
  // Long enough for the third look on a busy machine.
  expect(await untilNothingLeft(inTurn([10, 11, 10]), 1_000)).toBe(10);
});
