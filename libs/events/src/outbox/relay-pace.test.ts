import { expect, test } from '@jest/globals';
import { RelayPace } from './relay-pace.ts';

test('on an idle machine it pauses for half of the time that a batch took', async () => {
  const pace = new RelayPace(async () => 0);
  for (const tookMs of [20, 22, 18, 40, 20]) expect(await pace.pauseMs(tookMs)).toBe(tookMs / 2);
});

test('the relay pauses longer the later its timers are: waiting requests go first', async () => {
  let late = 5;
  const pace = new RelayPace(async () => late);
  const some = await pace.pauseMs(20);
  expect(some).toBeGreaterThan(10);
  late = 20;
  expect(await pace.pauseMs(20)).toBe(10 + 4 * (some - 10));
  late = 10_000;
  expect(await pace.pauseMs(20)).toBe(250);
});

test('the relay pauses for what a batch takes beyond three times the quickest', async () => {
  const pace = new RelayPace(async () => 0);
  await pace.pauseMs(20);
  expect(await pace.pauseMs(100)).toBeCloseTo(50 + 100 - 3 * 20 * 1.01);
  for (let n = 0; n < 200; n++) await pace.pauseMs(100);
  expect(await pace.pauseMs(100)).toBe(50);
});
