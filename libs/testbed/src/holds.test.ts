import { expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { holds } from './holds.testing.ts';

test('a property that fails is refused with its smallest example', async () => {
  const property = fc.asyncProperty(fc.nat(), async (number) => {
    expect(number).toBeLessThan(10);
  });
  await expect(holds(property, { numRuns: 200, seed: 1 })).rejects.toThrow('Counterexample: [10]');
});

test('after 20 s no run starts, and one that has started ends', async () => {
  const now = jest.spyOn(performance, 'now');
  let [started, ended] = [0, 0];
  const property = fc.asyncProperty(fc.nat(), async () => {
    started += 1;
    now.mockReturnValue(started * 10_001);
    await Promise.resolve();
    ended += 1;
  });
  now.mockReturnValue(0);
  try {
    await holds(property, { numRuns: 100 });
  } finally {
    now.mockRestore();
  }
  expect([started, ended]).toEqual([2, 2]);
});
