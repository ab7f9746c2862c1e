import { describe, expect, test } from '@jest/globals';
import { restAfter } from '../src/kafka/rest-after.ts';

describe('a group that nobody waits for', () => {
  test('rests after a small batch until messages have come together', () => {
    expect(restAfter({ lingerMs: 100, tookMs: 30, behind: 0 })).toBe(70);
    expect(restAfter({ lingerMs: 100, tookMs: 130, behind: 0 })).toBe(0);
  });

  test('takes a backlog with half of its time at most, and never rests longer than between small batches', () => {
    expect(restAfter({ lingerMs: 100, tookMs: 30, behind: 1 })).toBe(30);
    expect(restAfter({ lingerMs: 100, tookMs: 900, behind: 1 })).toBe(100);
  });
});

test('a group that somebody waits for never rests', () => {
  expect(restAfter({ lingerMs: 0, tookMs: 30, behind: 0 })).toBe(0);
  expect(restAfter({ lingerMs: 0, tookMs: 30, behind: 1 })).toBe(0);
});
