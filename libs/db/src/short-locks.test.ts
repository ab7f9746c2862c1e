import { expect, test } from '@jest/globals';
import { CannotDistribute } from './citus.ts';
import { retried } from './short-locks.ts';

const failing = (code: string, times: number) => {
  let tries = 0;
  const work = async () => {
    tries += 1;
    if (tries <= times) throw Object.assign(new Error('refused'), { code });
  };
  return { work, tries: () => tries };
};

test.each(['55P03', '57014', '40P01'])('what gave way with %s is tried again', async (code) => {
  const { work, tries } = failing(code, 3);
  await retried(work, 0);
  expect(tries()).toBe(4);
});

test('another failure is thrown at once', async () => {
  const { work, tries } = failing('42501', 3);
  await expect(retried(work, 0)).rejects.toThrow('refused');
  expect(tries()).toBe(1);
});

test('after many tries it ends with a sentence for the operator', async () => {
  const { work, tries } = failing('55P03', Number.POSITIVE_INFINITY);
  await expect(retried(work, 0)).rejects.toThrow(CannotDistribute);
  expect(tries()).toBe(40);
});
