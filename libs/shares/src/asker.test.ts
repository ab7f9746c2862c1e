import { expect, test } from '@jest/globals';
import { Asker, askedBy, NobodyWaits, paced, pacedEach } from './asker.ts';

const called = (store: number) => askedBy(new Asker(store), async () => undefined);

test('a call halfway to its deadline does its long work without pauses', async () => {
  await called(2);
  await askedBy(new Asker(1, Date.now() + 60_000), async () => {
    expect(await paced(() => 'sliced')).toBe('sliced');
    expect(paced(() => 'sliced')).toBeInstanceOf(Promise);
  });
  await askedBy(new Asker(1, Date.now()), async () => expect(paced(() => 'at once')).toBe('at once'));
});

test('a slice that waits ends with its asker, and is not run', async () => {
  await called(2);
  const asker = new Asker(1, Date.now() + 60_000);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await askedBy(asker, async () => {
    const first = paced(() => held);
    let isRun = false;
    const second = paced(() => {
      isRun = true;
    });
    asker.leave();
    await expect(second).rejects.toThrow(NobodyWaits);
    release();
    await expect(first).rejects.toThrow(NobodyWaits);
    expect(() => paced(() => undefined)).toThrow(NobodyWaits);
    await called(1);
    expect(isRun).toBe(false);
  });
});

test('writes records in smaller slices while another store calls, all in order', async () => {
  const slicesOf = async (count: number) => {
    const slices: number[][] = [];
    const records = Array.from({ length: count }, (_, n) => n);
    const write = async (slice: number[]) => void slices.push(slice);
    await askedBy(new Asker(1, Date.now() + 60_000), () => pacedEach(records, write));
    expect(slices.flat()).toEqual(records);
    return slices.map(({ length }) => length);
  };
  await called(2);
  expect(await slicesOf(110)).toEqual([25, 25, 25, 25, 10]);
  expect(await slicesOf(100)).toEqual([100]);
});
