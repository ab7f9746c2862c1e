import { expect, test } from '@jest/globals';
import { texts } from '@store/problem';
import { ConnectionLimiter, PoolTimeout } from './connection-limiter.ts';
import { guarded } from './database-errors.ts';

const soon = () => Date.now() + 60_000;
const justNow = () => Date.now();

test('connections are granted until all are in use; then in the order of requests', async () => {
  const limiter = new ConnectionLimiter(2);
  await limiter.take(justNow());
  await limiter.take(justNow());
  const order: string[] = [];
  const [first, second] = ['first', 'second'].map((name) => limiter.take(soon()).then(() => order.push(name)));
  limiter.give();
  await first;
  expect(order).toEqual(['first']);
  limiter.give();
  await second;
  expect(order).toEqual(['first', 'second']);
});

test('a request that waits longer than its caller is refused, and the next one takes its turn', async () => {
  const limiter = new ConnectionLimiter(1);
  await limiter.take(justNow());
  const late = limiter.take(Date.now() + 1);
  const patient = limiter.take(soon());
  await expect(late).rejects.toThrow(PoolTimeout);
  limiter.give();
  await patient;
  limiter.give();
  await limiter.take(justNow());
});

test('a caller without a deadline waits', async () => {
  const limiter = new ConnectionLimiter(1);
  await limiter.take(justNow());
  const patient = limiter.take(Number.POSITIVE_INFINITY);
  await new Promise((resolve) => setTimeout(resolve, 5));
  limiter.give();
  await patient;
});

test('who had none in time is told when to come again: nothing was done', async () => {
  const late = guarded(async () => {
    throw new PoolTimeout();
  });
  await expect(late).rejects.toMatchObject({ kind: 'database', message: texts.database, extra: { headers: { 'Retry-After': '5' } } });
});
