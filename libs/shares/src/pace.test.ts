import { describe, expect, test } from '@jest/globals';
import { Pace } from './pace.ts';

/** A pace whose time passes in slices of work and in pauses alone. */
function paced() {
  let nowMs = 0;
  const pauses: number[] = [];
  const pace = new Pace({
    nowMs: () => nowMs,
    wait: async (ms) => {
      pauses.push(ms);
      nowMs += ms;
    },
  });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { pace, pauses, pass, work: (holder: number, tookMs: number, costs = 1) => pace.slice(holder, () => pass(tookMs), costs) };
}

describe('long work of one store (D256)', () => {
  test('takes at most a quarter of the time while another store calls', async () => {
    const { pace, work, pauses } = paced();
    pace.called(2);
    pace.called(1);
    for (let n = 0; n < 4; n++) await work(1, 10);
    expect(pauses).toEqual([30, 30, 30]);
  });

  test('pauses as much longer as more work follows from it', async () => {
    const { pace, work, pauses } = paced();
    pace.called(2);
    pace.called(1);
    await work(1, 10, 2);
    await work(1, 10, 2);
    expect(pauses).toEqual([60]);
  });

  test('goes on at once while no other store has called for a second', async () => {
    const { pace, work, pauses, pass } = paced();
    pace.called(2);
    pass(1_000);
    pace.called(1);
    await Promise.all([work(1, 10), work(1, 10)]);
    expect(pauses).toEqual([]);
  });

  test('runs slices of a store one at a time, and does not delay another store', async () => {
    const { pace, pauses, pass } = paced();
    pace.called(2);
    pace.called(1);
    const order: string[] = [];
    const slice = (holder: number, name: string) =>
      pace.slice(holder, () => {
        order.push(`${name} after ${pauses.length}`);
        pass(10);
      });
    await Promise.all([slice(1, 'first'), slice(1, 'second'), slice(2, 'other')]);
    expect(order).toEqual(['first after 0', 'other after 0', 'second after 2']);
  });

  test('pauses 500 ms at most, also after a slice that failed', async () => {
    const { pace, work, pauses, pass } = paced();
    pace.called(2);
    pace.called(1);
    const failed = pace.slice(1, () => {
      pass(5_000);
      pace.called(2);
      throw new Error('statement timeout');
    });
    await expect(failed).rejects.toThrow('statement timeout');
    await work(1, 10);
    expect(pauses[0]).toBe(500);
  });
});
