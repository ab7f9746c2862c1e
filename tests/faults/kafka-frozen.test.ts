/**
 * Kafka frozen without closing connections (SIGSTOP: connections stay, nothing answers) under 50 writes a second, seen
 * from a subscriber (P5): every event arrives at least once, in its record's order. FAULT_SECONDS sets the duration.
 */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { describeWithKafka } from '@store/testbed';
import { openReceiver, type Receiver } from '../journeys/receiver.ts';
import { ask, type FleetWorld, openFleetWorld, until } from './fleet-world.ts';
import { pause, startLoad, statuses, stopLoads } from './load.ts';
import { type OwnServer, ownKafka } from './own-servers.ts';

const startMs = 120_000;
const frozenMs = Number(process.env.FAULT_SECONDS ?? 8) * 1_000;
const writers = 10;
const pace = 5;
/** Time after Kafka's return; the backlog takes a while on a machine that runs every part. */
const arrivedWithinMs = 60_000 + frozenMs;

describeWithKafka('Kafka', () => {
  let kafka: OwnServer;
  let receiver: Receiver;
  let world: FleetWorld;
  beforeAll(async () => {
    kafka = await ownKafka();
    receiver = await openReceiver();
    world = await openFleetWorld({ env: { KAFKA_BROKERS: kafka.address, ...receiver.env } });
  }, startMs);
  afterEach(stopLoads);
  afterAll(async () => {
    // A frozen process does not react to SIGTERM.
    kafka?.signal('SIGCONT');
    await world?.close();
    await receiver?.close();
    await kafka?.close();
  }, startMs);

  test(
    `frozen for ${frozenMs / 1_000} s: no write fails, no process restarts, and a subscriber gets every event, in its record's order`,
    async () => {
      const pids = world.fleet.members.map(({ pid }) => pid);
      const { key } = await world.newKey({ scopes: ['webhooks:manage'] });
      const body = JSON.stringify({ webhook_subscription: { url: `${receiver.url}/stock`, events: ['inventory.adjusted'] } });
      expect((await ask(`${world.api[0]}/webhook_subscriptions`, { method: 'POST', key, body })).status).toBe(201);
      const load = await startLoad(world, { writers, readers: 0, pace, only: 'adjustments' });
      await until(() => receiver.hooks.length > 0, startMs);

      kafka.signal('SIGSTOP');
      await pause(frozenMs);
      const arrivedBefore = receiver.hooks.length;
      kafka.signal('SIGCONT');
      const backAtMs = performance.now();
      await load.stop();
      const committed = await ledger();
      await until(() => arrivals().length >= committed.length, arrivedWithinMs);
      const caughtUpMs = performance.now() - backAtMs;

      if (process.env.FAULT_REPORT)
        console.error('frozen', {
          events: committed.length,
          arrivedBefore,
          posts: receiver.hooks.length,
          caughtUpMs,
          ...statuses(load.writes),
        });
      expect(Object.keys(statuses(load.writes))).toEqual(['201']);
      // Most of them were written while nothing was published.
      expect(committed.length - arrivedBefore).toBeGreaterThan((frozenMs / 1_000) * writers);
      expect(arrivals().toSorted((a, b) => a - b)).toEqual(committed.map(({ id }) => id));
      expect(outOfOrder(committed)).toEqual([]);
      // The relay's own timeout fired: the producer whose socket did not answer was replaced.
      expect(world.log('relay')).toContain('Kafka did not acknowledge in time');
      expect(world.fleet.members.map(({ pid, running }) => (running ? pid : undefined))).toEqual(pids);
    },
    startMs + frozenMs + arrivedWithinMs,
  );

  interface Committed {
    id: number;
    product: number;
  }

  /** Every transaction of the ledger in commit order: it is written under its product's lock. */
  async function ledger(): Promise<Committed[]> {
    const { rows } = await world.database.query<Committed>(
      `select t.id::int, a.product_id::int as product from inventory.inventory_transactions t
       join inventory.stock_adjustments a on a.id = t.adjustment_id order by t.id`,
    );
    return rows;
  }

  /** The first arrival of each event. */
  function arrivals(): number[] {
    return [...new Set(receiver.hooks.map(({ body }) => (JSON.parse(body.toString()) as { resource_id: number }).resource_id))];
  }

  function outOfOrder(committed: Committed[]): number[] {
    const productOf = new Map(committed.map(({ id, product }) => [id, product]));
    const last = new Map<number, number>();
    return arrivals().filter((id) => {
      const product = productOf.get(id)!;
      const before = last.get(product) ?? 0;
      last.set(product, Math.max(before, id));
      return id < before;
    });
  }
});
