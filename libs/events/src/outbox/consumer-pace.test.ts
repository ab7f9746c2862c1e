/** D258: what waits in Kafka is handled in its order, so a backlog waits in the outbox, where stores take turns. */
import { describe, expect, test } from '@jest/globals';
import { logNothing } from '@store/testbed';
import { noPause, shareShop, shop } from '../../test/shop.ts';
import { ConsumerPace } from './consumer-pace.ts';

const going = new AbortController().signal;

/** A clock that only waits move, and groups that are behind by the next of these numbers at each look. */
function paceAmong(numbers: number[], log = logNothing) {
  const state = { nowMs: 0, looks: 0 };
  const behind = async () => numbers[Math.min(state.looks++, numbers.length - 1)]!;
  const wait = async (ms: number) => {
    state.nowMs += ms;
  };
  return { state, pace: new ConsumerPace({ behind, behindMax: 100, now: () => state.nowMs, wait, log }) };
}

test('a backlog waits until the slowest group is near', async () => {
  const { state, pace } = paceAmong([900, 500, 101, 100]);
  await pace.waitForConsumers(going);
  expect(state.looks).toBe(4);
});

test('a group without progress holds others up for seconds, and is asked again later', async () => {
  const { state, pace } = paceAmong([900, 800]);
  await pace.waitForConsumers(going);
  expect(state.nowMs).toBeLessThan(4_000);
  const { looks } = state;
  await pace.waitForConsumers(going);
  expect(state.looks).toBe(looks);
  state.nowMs += 31_000;
  await pace.waitForConsumers(going);
  expect(state.looks).toBeGreaterThan(looks);
});

test('the backlog goes on while Kafka does not say how far consumers are', async () => {
  const lines: string[] = [];
  const log = { warn: (_fields: object, message: string) => void lines.push(message) };
  const behind = async () => Promise.reject(new Error('away'));
  await new ConsumerPace({ behind, log }).waitForConsumers(going);
  expect(lines).toEqual([expect.stringContaining('does not say')]);
});

describe('a relay with a slow consumer', () => {
  shareShop();

  test("another store's commit has few of a backlog's messages before it", async () => {
    await shop.put(1, 6_000);
    const sent: number[] = [];
    let handled = 0;
    let before = 0;
    let nowMs = 0;
    // The consumer handles 50 messages between two looks, each of which comes in time.
    const behind = async () => {
      handled = Math.min(sent.length, handled + 50);
      return sent.length - handled;
    };
    const now = () => {
      nowMs += 100;
      return nowMs;
    };
    const consumers = new ConsumerPace({ behind, behindMax: 300, now, wait: async () => undefined, log: logNothing });
    const publish = async (batch: { storeId: number }[]) => {
      if (sent.length >= 3_000 && before === 0) {
        before = handled;
        await shop.put(2, 1);
      }
      sent.push(...batch.map(({ storeId }) => storeId));
    };
    await shop.drain(publish, { ...noPause, consumers, batchMax: 20 });
    expect(sent).toHaveLength(6_001);
    // A list of 16 batches, what may wait in Kafka, and the batches under way.
    expect(sent.indexOf(2) - before).toBeLessThanOrEqual(300 + 18 * 20);
  });
});
