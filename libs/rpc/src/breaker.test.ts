import { describe, expect, jest, test } from '@jest/globals';
import { type Problem, texts } from '@store/problem';
import { Asker, askedBy } from '@store/shares/asker';
import { Breaker, type Outcome } from './breaker.ts';
import { CallLimit } from './call-limit.ts';

const refusalOf = (breaker: Breaker): Promise<Problem | undefined> =>
  breaker.enter().then(
    () => undefined,
    (error: Problem) => error,
  );

async function ended(breaker: Breaker, outcome: Outcome, times: number): Promise<void> {
  for (let n = 0; n < times; n++) (await breaker.enter())(outcome);
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('calls to a service', () => {
  test('are refused at once after five consecutive ones timed out, with the text of D175', async () => {
    const breaker = new Breaker({ probe: async () => false });
    await ended(breaker, 'late', 4);
    (await breaker.enter())('late');
    await settled();
    const refused = await refusalOf(breaker);
    expect([refused?.kind, refused?.message]).toEqual(['unavailable', texts.unexpected]);
    breaker.stop();
  });

  test('D256: that are late stop nobody while the service answers a probe', async () => {
    let probes = 0;
    const breaker = new Breaker({
      probe: async () => {
        probes += 1;
        return true;
      },
    });
    await ended(breaker, 'late', 12);
    await settled();
    expect([breaker.isOpen, breaker.counts.opened, probes]).toEqual([false, 0, 2]);
  });

  test('are not refused while any of them is answered', async () => {
    const breaker = new Breaker({ probe: async () => false });
    for (let round = 0; round < 10; round++) {
      await ended(breaker, 'late', 4);
      await ended(breaker, 'answered', 1);
    }
    expect(breaker.isOpen).toBe(false);
  });

  test('that were lost do not count: gRPC itself refuses what cannot be sent', async () => {
    const breaker = new Breaker({ probe: async () => false });
    await ended(breaker, 'lost', 100);
    expect(breaker.isOpen).toBe(false);
  });

  test('beyond the limit in flight are refused, and admitted again when one ends', async () => {
    const breaker = new Breaker({ probe: async () => true, limit: new CallLimit({ most: 2 }) });
    const [leave] = await Promise.all([breaker.enter(), breaker.enter()]);
    expect((await refusalOf(breaker))?.kind).toBe('unavailable');
    leave('answered');
    leave('answered');
    expect(await refusalOf(breaker)).toBeUndefined();
    expect(breaker.underWay).toBe(2);
  });

  test('D256: of one store beyond the limit are refused, those of another admitted', async () => {
    const breaker = new Breaker({ probe: async () => true, limit: new CallLimit({ most: 100, least: 100 }) });
    const soon = () => Date.now() + 60_000;
    const of = (store: number) => askedBy(new Asker(store, soon()), () => breaker.enter(soon()));
    const outcomes: string[] = [];
    const flood = Array.from({ length: 1_000 }, () =>
      of(1).then(
        () => outcomes.push('admitted'),
        () => outcomes.push('refused'),
      ),
    );
    await settled();
    // As many wait as would be admitted if nothing was kept for others.
    expect([breaker.underWay, outcomes.filter((one) => one === 'refused').length]).toEqual([75, 900]);
    const others = await Promise.all([2, 3, 4, 5, 6].flatMap((store) => [1, 2, 3, 4, 5].map(() => of(store))));
    expect(breaker.underWay).toBe(100);
    // Nothing is free: a bystander waits, and the newest of the store that has most is refused in its place.
    const bystander = of(7);
    await settled();
    expect(breaker.counts.refused).toBe(901);
    others[0]!('answered');
    (await bystander)('answered');
    expect(flood).toHaveLength(1_000);
  });

  test('that wait for their turn while a service hangs are refused with the others', async () => {
    const breaker = new Breaker({ probe: async () => false, limit: new CallLimit({ most: 20, least: 20 }) });
    await ended(breaker, 'late', 4);
    const leaves = await Promise.all(Array.from({ length: 15 }, () => breaker.enter()));
    const outcomes = Array.from({ length: 5 }, () => breaker.enter(Date.now() + 60_000).catch(({ kind }: Problem) => kind));
    leaves[0]!('late');
    await settled();
    expect(breaker.isOpen).toBe(true);
    for (const leave of leaves) leave('late');
    expect(await Promise.all(outcomes)).toEqual(Array(5).fill('unavailable'));
    expect(breaker.underWay).toBe(0);
    breaker.stop();
  });

  test('are admitted again when a probe is answered, without using a call as the probe', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const answers = [false, false, false, true];
      const breaker = new Breaker({ probe: async () => answers.shift()!, probeEveryMs: 100 });
      await ended(breaker, 'late', 5);
      await settled();
      for (const open of [true, true, false]) {
        expect((await refusalOf(breaker))?.kind).toBe('unavailable');
        jest.advanceTimersByTime(100);
        await settled();
        expect(breaker.isOpen).toBe(open);
      }
      expect(await refusalOf(breaker)).toBeUndefined();
    } finally {
      jest.useRealTimers();
    }
  });
});
