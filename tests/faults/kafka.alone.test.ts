/**
 * Kafka stopped, frozen without closing connections (SIGSTOP), and back (P5): no write waits for it, no event is lost or handled twice, and
 * a subscriber gets each in its record's order. FAULT_SECONDS sets the duration.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithKafka } from '@store/testbed';
import { until } from '@store/testbed/until';
import type { FleetWorld } from '../kit/fleet-world.ts';
import { type OwnServer, ownKafka } from '../kit/own-servers.ts';
import { openReceiver, type Receiver, resourceOf } from '../kit/receiver.ts';
import { useFleet } from '../kit/use.ts';
import { expectNothingLostOrDoubled, pidsOf, settled } from './invariants.ts';
import { between, percentile, report, startLoad, statusesOfAll } from './load.ts';

const startMs = 120_000;
const seconds = Number(process.env.FAULT_SECONDS ?? 8);
/** Before the fleet is warm its latencies say nothing. */
const warmUpMs = process.env.FAULT_SECONDS ? 15_000 : 3_000;
const baselineMs = process.env.FAULT_SECONDS ? 20_000 : 4_000;
/** 60 writes per second. */
const clients = { writers: 12, readers: 4, pace: 5 };
const frozenMs = Number(process.env.FAULT_SECONDS ?? 8) * 1_000;
const caughtUpWithinMs = 30_000;
/** Time after Kafka's return; the backlog takes a while on a machine that runs every part. */
const arrivedWithinMs = 60_000 + frozenMs;
const lagMaxMs = 1_000;
/** Below this a ratio of percentiles on a shared machine says nothing. */
const noiseMs = 25;

describeWithKafka('Kafka', () => {
  let kafka: OwnServer;
  let receiver: Receiver;
  // A frozen process does not react to SIGTERM.
  afterAll(() => kafka?.signal('SIGCONT'));
  const world = useFleet(async (opened) => {
    kafka = await opened(ownKafka());
    receiver = await opened(openReceiver());
    return { env: { KAFKA_BROKERS: kafka.address, ...receiver.env } };
  });
  let pids: (number | undefined)[];
  beforeAll(() => {
    pids = pidsOf(world);
  });

  test(
    'down under load: no request fails or slows; the backlog goes in order, once',
    async () => {
      const load = await startLoad(world, clients);
      await wait(warmUpMs);
      const warmAtMs = performance.now();
      await wait(baselineMs);
      const downAtMs = performance.now();
      await kafka.crash();
      await wait(seconds * 1_000);
      const backAtMs = performance.now();
      await kafka.start();
      const acceptedAtMs = performance.now();
      await until(() => lagIsSmall(world), caughtUpWithinMs);
      const caughtUpMs = performance.now() - acceptedAtMs;
      await load.stop();
      const before = between(load.writes, warmAtMs, downAtMs);
      const during = between(load.writes, downAtMs, backAtMs);
      const p99 = { before: percentile(before, 0.99), during: percentile(during, 0.99) };
      const p50 = { before: percentile(before, 0.5), during: percentile(during, 0.5) };
      report('down', { p50, p99, ratio: p99.during / p99.before, caughtUpMs, during: during.length });
      expect(statusesOfAll(load)).toEqual(['200', '201']);
      expect(p99.during).toBeLessThanOrEqual(1.5 * p99.before + noiseMs);
      await settled(world);
      await expectNothingLostOrDoubled(world, load);
      await expectCarriedInOrder(world);
      expect(pidsOf(world)).toEqual(pids);
    },
    startMs + warmUpMs + baselineMs + seconds * 1_000,
  );

  test(
    `frozen for ${frozenMs / 1_000} s: the producer reconnects, all arrive in order`,
    async () => {
      const { key } = await world.newKey({ scopes: ['webhooks:manage'] });
      await world.subscribe(key, `${receiver.url}/stock`, ['inventory.adjusted']);
      // The log of events may get some of these behind the subscription.
      const before = new Set((await ledger()).map(({ id }) => id));
      const arrivals = () => [...new Set(receiver.hooks.map(resourceOf))].filter((id) => !before.has(id));
      const load = await startLoad(world, clients);
      await until(() => arrivals().length > 0, startMs);
      kafka.signal('SIGSTOP');
      await wait(frozenMs);
      const arrivedBefore = arrivals().length;
      kafka.signal('SIGCONT');
      const backAtMs = performance.now();
      await until(() => lagIsSmall(world), caughtUpWithinMs + frozenMs);
      const caughtUpMs = performance.now() - backAtMs;
      await load.stop();
      const committed = (await ledger()).filter(({ id }) => !before.has(id));
      await until(() => arrivals().length >= committed.length, arrivedWithinMs);
      report('frozen', { events: committed.length, arrivedBefore, posts: receiver.hooks.length, caughtUpMs });
      expect(statusesOfAll(load)).toEqual(['200', '201']);
      // Most of them were written while nothing was published.
      expect(committed.length - arrivedBefore).toBeGreaterThan((frozenMs / 1_000) * clients.writers);
      expect(arrivals().toSorted((a, b) => a - b)).toEqual(committed.map(({ id }) => id));
      expect(outOfOrder(arrivals(), committed)).toEqual([]);
      await settled(world);
      await expectNothingLostOrDoubled(world, load);
      await expectCarriedInOrder(world);
      // The relay's own timeout fired: the producer whose socket did not answer was replaced.
      expect(world.log('relay')).toContain('Kafka did not acknowledge in time');
      expect(pidsOf(world)).toEqual(pids);
    },
    startMs + frozenMs + caughtUpWithinMs + arrivedWithinMs,
  );

  /** Every transaction of the ledger in commit order: it is written under its product's lock. */
  async function ledger(): Promise<Committed[]> {
    const { rows } = await world.database.query<Committed>(
      `select t.id::int, a.product_id::int as product from inventory.inventory_transactions t
       join inventory.stock_adjustments a on a.store_id = t.store_id and a.id = t.adjustment_id order by t.id`,
    );
    return rows;
  }
});

/** Whether a change that is made now is in the audit trail within a second. */
async function lagIsSmall(world: FleetWorld): Promise<boolean> {
  const { id, key } = await world.newKey();
  const madeAtMs = performance.now();
  await world.call('POST', '/products', { key, body: { product: { name: 'Lag' } } });
  for (;;) {
    const { rowCount } = await world.database.query('select from gateway.audit_entries where key_id = $1', [id]);
    const lag = performance.now() - madeAtMs;
    if (rowCount === 1) return lag < lagMaxMs;
    if (lag > lagMaxMs) return false;
    await wait(10);
  }
}

/** The audit trail has a record's entries in commit order: the ledger's ids rise with each row. */
async function expectCarriedInOrder(world: FleetWorld): Promise<void> {
  const { rows } = await world.database.query(
    `select * from (
       select e.id, a.id as adjustment, lag(a.id) over (partition by a.product_id order by e.id) as previous
       from gateway.audit_entries e join inventory.stock_adjustments a on e.resource_type = 'StockAdjustment' and e.resource_id = a.id) as carried
     where previous > adjustment`,
  );
  expect(rows).toEqual([]);
}

interface Committed {
  id: number;
  product: number;
}

/** Of their first arrivals, those that came after a later one of their product. */
function outOfOrder(arrivals: number[], committed: Committed[]): number[] {
  const productOf = new Map(committed.map(({ id, product }) => [id, product]));
  const last = new Map<number, number>();
  return arrivals.filter((id) => {
    const product = productOf.get(id)!;
    const before = last.get(product) ?? 0;
    last.set(product, Math.max(before, id));
    return id < before;
  });
}
