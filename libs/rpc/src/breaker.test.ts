import { describe, expect, jest, test } from '@jest/globals';
import { type Problem, texts } from '@store/problem';
import { Breaker } from './breaker.ts';
import { CallLimit } from './call-limit.ts';

function refusalOf(breaker: Breaker): Problem | undefined {
  try {
    breaker.enter();
    return undefined;
  } catch (error) {
    return error as Problem;
  }
}

function late(breaker: Breaker, times: number): void {
  for (let n = 0; n < times; n++) {
    breaker.enter();
    breaker.leave('late');
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('calls to a service', () => {
  test('are refused at once after five consecutive ones timed out, with the text of D175', () => {
    const breaker = new Breaker({ probe: async () => false });
    late(breaker, 4);
    expect(refusalOf(breaker)).toBeUndefined();
    breaker.leave('late');
    const refused = refusalOf(breaker);
    expect([refused?.kind, refused?.message]).toEqual(['unavailable', texts.unexpected]);
    breaker.stop();
  });

  test('are not refused while any of them is answered', () => {
    const breaker = new Breaker({ probe: async () => false });
    for (let round = 0; round < 10; round++) {
      late(breaker, 4);
      breaker.enter();
      breaker.leave('answered');
    }
    expect(breaker.isOpen).toBe(false);
  });

  test('that were lost do not count: gRPC itself refuses what cannot be sent', () => {
    const breaker = new Breaker({ probe: async () => false });
    for (let n = 0; n < 100; n++) {
      breaker.enter();
      breaker.leave('lost');
    }
    expect(breaker.isOpen).toBe(false);
  });

  test('beyond the limit in flight are refused, and admitted again when one ends', () => {
    const breaker = new Breaker({ probe: async () => true, limit: new CallLimit({ most: 2 }) });
    breaker.enter();
    breaker.enter();
    expect(refusalOf(breaker)?.kind).toBe('unavailable');
    breaker.leave('answered');
    expect(refusalOf(breaker)).toBeUndefined();
    expect(breaker.underWay).toBe(2);
  });

  test('are admitted again when a probe is answered, without using a call as the probe', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const answers = [false, false, true];
      const breaker = new Breaker({ probe: async () => answers.shift()!, probeEveryMs: 100 });
      late(breaker, 5);
      for (const open of [true, true, false]) {
        expect(refusalOf(breaker)?.kind).toBe('unavailable');
        jest.advanceTimersByTime(100);
        await settled();
        expect(breaker.isOpen).toBe(open);
      }
      expect(refusalOf(breaker)).toBeUndefined();
    } finally {
      jest.useRealTimers();
    }
  });
});
