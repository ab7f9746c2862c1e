import { expect, test } from '@jest/globals';
import { NoPlace, Places } from './places.ts';

const soon = () => Date.now() + 10_000;
const justNow = () => Date.now();

test('a place is free until all are taken; then who asked first gets the next', async () => {
  const places = new Places(2);
  await places.take(justNow());
  await places.take(justNow());
  const order: string[] = [];
  const [first, second] = ['first', 'second'].map((name) => places.take(soon()).then(() => order.push(name)));
  places.give();
  await first;
  expect(order).toEqual(['first']);
  places.give();
  await second;
  expect(order).toEqual(['first', 'second']);
});

test('who waits longer than its caller is refused, and its turn goes to the next', async () => {
  const places = new Places(1);
  await places.take(justNow());
  const late = places.take(Date.now() + 1);
  const patient = places.take(soon());
  await expect(late).rejects.toThrow(NoPlace);
  places.give();
  await patient;
  places.give();
  await places.take(justNow());
});

test('a caller without a deadline waits', async () => {
  const places = new Places(1);
  await places.take(justNow());
  const patient = places.take(Number.POSITIVE_INFINITY);
  await new Promise((resolve) => setTimeout(resolve, 5));
  places.give();
  await patient;
});
