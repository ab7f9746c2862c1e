import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Shares } from './shares.ts';

/** Requests of one holder; `granted` counts those that have theirs. */
function ask(shares: Shares, holder: string, count: number, amount = 1) {
  const asked = { granted: 0 };
  for (let i = 0; i < count; i++) {
    void shares.take(holder, amount).then(() => {
      asked.granted += 1;
    });
  }
  return asked;
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('shares of a limited resource (D256)', () => {
  test('one holder alone gets all but the quarter that stays free for others', async () => {
    const shares = new Shares(100);
    const alone = ask(shares, 'a', 1_000);
    await settled();
    expect(alone.granted).toBe(75);
    expect(ask(shares, 'b', 25)).toEqual(await grants(25));
    expect(shares.inUse).toBe(100);
  });

  test('a holder above its quarter gets nothing more while one below waits', async () => {
    const shares = new Shares(8);
    const a = ask(shares, 'a', 20);
    const b = ask(shares, 'b', 20);
    await settled();
    expect([a.granted, b.granted]).toEqual([6, 2]);
    const c = ask(shares, 'c', 20);
    for (let i = 0; i < 2; i++) shares.give('a');
    await settled();
    expect([shares.heldBy('a'), shares.heldBy('b'), c.granted]).toEqual([4, 2, 2]);
  });

  test('holders that wait are served in turn, however many requests each has', async () => {
    const shares = new Shares(1);
    await shares.take('x');
    const order: string[] = [];
    for (const holder of ['a', 'a', 'a', 'b', 'b', 'c']) void shares.take(holder).then(() => order.push(holder));
    for (let held = 'x'; order.length < 6; held = order.at(-1)!) {
      shares.give(held);
      await settled();
    }
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });

  test('an amount larger than a quarter is granted to a holder that has nothing', async () => {
    const shares = new Shares(100);
    await shares.take('a', 20);
    const large = ask(shares, 'b', 1, 90);
    ask(shares, 'c', 50);
    await settled();
    expect(large.granted).toBe(0);
    shares.give('a', 20);
    await settled();
    expect(large.granted).toBe(1);
  });

  test('a request that is aborted leaves the line and lets the next pass', async () => {
    const shares = new Shares(4);
    await shares.take('a', 3);
    const abort = new AbortController();
    const large = shares.take('b', 4, abort.signal);
    const small = ask(shares, 'c', 1);
    await settled();
    expect(small.granted).toBe(0);
    abort.abort(new Error('gone'));
    await expect(large).rejects.toThrow('gone');
    await settled();
    expect([small.granted, shares.waiting]).toEqual([1, 0]);
  });

  test('a line too long refuses the newest of who has most, never a bystander', async () => {
    const shares = new Shares(8, 4);
    const refused: string[] = [];
    const want = (holder: string) => void shares.take(holder).catch(() => refused.push(holder));
    for (let n = 0; n < 12; n++) want('a');
    await settled();
    expect([shares.heldBy('a'), shares.waitingOf('a'), refused.length]).toEqual([6, 4, 2]);
    for (const holder of ['b', 'b', 'b', 'c', 'd']) want(holder);
    await settled();
    expect(['b', 'c', 'd'].map((holder) => shares.heldBy(holder) + shares.waitingOf(holder))).toEqual([3, 1, 1]);
    expect(new Set(refused)).toEqual(new Set(['a']));
  });

  test('a size that changes is followed: held stays, freed is granted by the new one', async () => {
    const shares = new Shares(8);
    const a = ask(shares, 'a', 10);
    await settled();
    shares.resize(4);
    shares.give('a');
    shares.give('a');
    shares.give('a');
    await settled();
    expect([a.granted, shares.heldBy('a'), shares.takeFree('b')]).toEqual([6, 3, true]);
    shares.resize(12);
    await settled();
    expect([a.granted, shares.heldBy('a')]).toEqual([10, 7]);
  });

  test('any order of requests and returns: never more than there is, none waits for ever', async () => {
    const step = fc.record({ holder: fc.constantFrom('a', 'b', 'c', 'd', 'e'), amount: fc.integer({ min: 1, max: 6 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 6, max: 20 }), async (steps, size) => {
        const shares = new Shares(size);
        const held: { holder: string; amount: number }[] = [];
        let granted = 0;
        for (const { holder, amount } of steps) {
          void shares.take(holder, amount).then(() => {
            granted += 1;
            held.push({ holder, amount });
          });
          await settled();
          expect(shares.inUse).toBeLessThanOrEqual(size);
          expect(held.reduce((sum, one) => sum + one.amount, 0)).toBe(shares.inUse);
        }
        while (held.length > 0) {
          const { holder, amount } = held.shift()!;
          shares.give(holder, amount);
          await settled();
        }
        expect([granted, shares.inUse, shares.waiting]).toEqual([steps.length, 0, 0]);
      }),
      { numRuns: 200 },
    );
  });
});

async function grants(granted: number) {
  await settled();
  return { granted };
}
