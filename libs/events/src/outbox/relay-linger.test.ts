import { expect, test } from '@jest/globals';
import { RelayLinger } from './relay-linger.ts';

const open = () => new RelayLinger({ lingerMs: 15, busyLingerMs: 40 });

test('the first change after a quiet time is sent at once, the next are gathered', () => {
  const linger = open();
  expect(linger.leftMs(1_000)).toBe(0);
  linger.started(1_000);
  linger.published(1);
  expect(linger.leftMs(1_005)).toBe(10);
  expect(linger.leftMs(1_020)).toBe(0);
});

test('a busy time is gathered longer, and one that is no longer busy as before', () => {
  const linger = open();
  linger.started(1_000);
  linger.published(1);
  linger.started(1_015);
  linger.published(3);
  expect(linger.leftMs(1_015)).toBe(40);
  linger.started(1_055);
  linger.published(7);
  expect(linger.leftMs(1_055)).toBe(15);
});

test('a large batch after a quiet time does not hold back what follows it', () => {
  const linger = open();
  linger.started(1_000);
  linger.published(1);
  linger.started(60_000);
  linger.published(200);
  expect(linger.leftMs(60_000)).toBe(15);
});

test('without a time of its own, a busy time is like any other', () => {
  const linger = new RelayLinger({ lingerMs: 8 });
  linger.started(1_000);
  linger.started(1_008);
  linger.published(50);
  expect(linger.leftMs(1_008)).toBe(8);
});
