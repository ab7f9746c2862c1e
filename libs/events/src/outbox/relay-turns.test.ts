import { describe, expect, test } from '@jest/globals';
import { openClient } from '@store/testbed/with-client';
import fc from 'fast-check';
import type pg from 'pg';
import { namesOf, noPause, shareShop, shop } from '../../test/shop.ts';
import type { Message } from '../message.ts';

shareShop();

describe('D258: stores in turn', () => {
  test("a store's commit waits for few batches of another store's 30,000 rows", async () => {
    await shop.put(1, 30_000);
    await shop.put(2, 1);
    const arrived = new Map<number, number>();
    let batches = 0;
    const publish = async (batch: Message[]) => {
      batches += 1;
      for (const { storeId } of batch) if (!arrived.has(storeId)) arrived.set(storeId, batches);
      // In the middle of the backlog, a store below and one above the one that has it.
      if (batches === 30) await shop.put(3, 1);
      if (batches === 60) await shop.put(0, 1);
    };
    await shop.drain(publish, noPause);
    expect(arrived.get(2)).toBeLessThanOrEqual(2);
    expect(arrived.get(3)! - 30).toBeLessThanOrEqual(18);
    expect(arrived.get(0)! - 60).toBeLessThanOrEqual(18);
    expect(batches).toBeLessThanOrEqual(130);
    expect(await shop.count('outbox')).toBe(0);
  });

  test('each of many stores has its turn before the one with most has a second batch', async () => {
    await shop.put(1, 5_000);
    for (let store = 2; store <= 120; store++) await shop.put(store, 3);
    const batches: Message[][] = [];
    await shop.drain(async (batch) => void batches.push(batch), noPause);
    const early = batches.slice(0, 3).flat();
    expect(new Set(early.map(({ storeId }) => storeId)).size).toBe(120);
    expect(batches.flat()).toHaveLength(5_000 + 119 * 3);
    const first = batches.flat().filter(({ storeId }) => storeId === 1);
    expect(namesOf(first)).toEqual(first.map((_message, n) => `n.${n + 1}`));
  });

  test('nothing waits for the poll although the shares of stores are not full batches', async () => {
    for (let store = 1; store <= 9; store++) await shop.put(store, store === 1 ? 3_000 : 1);
    const taken: Message[] = [];
    const relay = shop.relay(async (batch) => void taken.push(...batch), noPause);
    relay.start();
    await shop.untilEmpty(relay);
    expect(taken).toHaveLength(3_008);
  });
});

interface Step {
  store: number;
  record: number;
  events: number;
  /** Transactions that are open at once: this one commits before those opened before it. */
  late: boolean;
}

const step = fc.record({
  store: fc.integer({ min: 1, max: 4 }),
  record: fc.integer({ min: 1, max: 3 }),
  events: fc.integer({ min: 1, max: 6 }),
  late: fc.boolean(),
});
const history = fc.record({
  steps: fc.array(step, { minLength: 5, maxLength: 30 }),
  /** Publications after which the relay is lost before it deletes the rows. */
  crashes: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 3 }),
  batchMax: fc.integer({ min: 1, max: 5 }),
});

/** Runs the steps; a transaction that is late stays open while the next step runs. Events of a record are numbered. */
async function write(steps: Step[], late: pg.Client): Promise<string[]> {
  const numbers = new Map<string, number>();
  const written: string[] = [];
  let open: string | undefined;
  for (const { store, record, events, late: isLate } of steps) {
    const key = `${store}:${record}`;
    // The record's lock is held until the commit.
    if (open === key || (open !== undefined && isLate)) {
      await late.query('commit');
      open = undefined;
    }
    const client = isLate ? late : shop.client;
    if (isLate) await late.query('begin');
    for (let n = 0; n < events; n++) {
      const number = (numbers.get(key) ?? 0) + 1;
      numbers.set(key, number);
      written.push(`${key}:${number}`);
      await client.query(
        `insert into shop.outbox (event_id, store_id, name, aggregate, actor, request_id, created_at)
         values (gen_random_uuid(), $1, $2, $3, '{}', 'r', clock_timestamp())`,
        [store, String(number), String(record)],
      );
    }
    if (isLate) open = key;
  }
  if (open !== undefined) await late.query('commit');
  return written;
}

test('nothing is lost and records keep their order, whatever stores and crashes', async () => {
  const late = await openClient(shop.url);
  await fc.assert(
    fc.asyncProperty(history, async ({ steps, crashes, batchMax }) => {
      const published: string[] = [];
      let publications = 0;
      const publish = async (batch: Message[]) => {
        publications += 1;
        const names = batch.map(({ storeId, aggregate, name }) => `${storeId}:${aggregate}:${name}`);
        published.push(...names);
        if (crashes.includes(publications)) throw new Error('lost before it deletes');
      };
      const relay = shop.relay(publish, { ...noPause, batchMax, pollMs: 1, lingerMs: 0 });
      relay.start();
      const written = await write(steps, late);
      await shop.untilEmpty(relay);
      const firsts = [...new Set(published)];
      expect([...firsts].sort()).toEqual([...written].sort());
      for (const key of new Set(written.map((name) => name.slice(0, name.lastIndexOf(':'))))) {
        const ofRecord = (names: string[]) => names.filter((name) => name.startsWith(`${key}:`));
        expect(ofRecord(firsts)).toEqual(ofRecord(written));
      }
      // Only what a lost relay had in hand is published again: its batch, and the one whose deletion was under way.
      expect(published.length - firsts.length).toBeLessThanOrEqual(2 * batchMax * crashes.length);
    }),
    { numRuns: 25 },
  );
  await late.end();
});
