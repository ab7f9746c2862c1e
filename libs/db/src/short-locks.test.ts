import { expect, test } from '@jest/globals';
import type pg from 'pg';
import { CannotDistribute } from './citus.ts';
import { lockWrites, retried } from './short-locks.ts';

const failing = (code: string, times: number) => {
  let tries = 0;
  const work = async () => {
    tries += 1;
    if (tries <= times) throw Object.assign(new Error('refused'), { code });
  };
  return { work, tries: () => tries };
};

test.each(['55P03', '40P01'])('what gave way with %s is tried again', async (code) => {
  const { work, tries } = failing(code, 3);
  await retried(work, 0);
  expect(tries()).toBe(4);
});

test.each(['42501', '57014'])('what ended with %s is thrown at once', async (code) => {
  const { work, tries } = failing(code, 3);
  await expect(retried(work, 0)).rejects.toThrow('refused');
  expect(tries()).toBe(1);
});

test('locks of many tables that take too long are tried again', async () => {
  const { work, tries } = failing('57014', 3);
  const client = { query: (text: string) => (text.startsWith('lock') ? work() : Promise.resolve()) };
  await retried(() => lockWrites(client as unknown as pg.Client, ['shop.goods']), 0);
  expect(tries()).toBe(4);
});

test('after many tries it ends with a sentence for the operator', async () => {
  const { work, tries } = failing('55P03', Number.POSITIVE_INFINITY);
  await expect(retried(work, 0)).rejects.toThrow(CannotDistribute);
  expect(tries()).toBe(40);
});
