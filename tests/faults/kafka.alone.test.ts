/** Kafka stopped, frozen, and back (P5): no write waits for it, and no event is lost or handled twice. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { describeWithKafka } from '@store/testbed';
import { ask, type FleetWorld, openFleetWorld, until } from './fleet-world.ts';
import { between, type Load, pause, percentile, startLoad, statuses, stopLoads } from './load.ts';
import { type OwnServer, ownKafka } from './own-servers.ts';
import { expectNothingLostOrDoubled, settled } from './truth.ts';

const startMs = 120_000;
const seconds = Number(process.env.FAULT_SECONDS ?? 8);
/** Before the fleet is warm its latencies say nothing. */
const warmUpMs = process.env.FAULT_SECONDS ? 15_000 : 3_000;
const baselineMs = process.env.FAULT_SECONDS ? 20_000 : 4_000;
/** 60 writes per second. */
const clients = { writers: 12, readers: 4, pace: 5 };
const caughtUpWithinMs = 30_000;
const lagMaxMs = 1_000;
/** Below this a ratio of percentiles on a shared machine says nothing. */
const noiseMs = 25;

describeWithKafka('Kafka', () => {
  let kafka: OwnServer;
  let world: FleetWorld;
  let pids: (number | undefined)[];
  beforeAll(async () => {
    kafka = await ownKafka();
    world = await openFleetWorld({ env: { KAFKA_BROKERS: kafka.address } });
    pids = world.fleet.members.map(({ pid }) => pid);
  }, startMs);
  afterEach(stopLoads);
  afterAll(async () => {
    await world?.close();
    await kafka.close();
  }, startMs);

  test(
    'down under load: no request fails or slows, the backlog is carried in order, once, and lag is below 1 s within 30 s of its return',
    async () => {
      const load = await startLoad(world, clients);
      await pause(warmUpMs);
      const warmAtMs = performance.now();
      await pause(baselineMs);
      const downAtMs = performance.now();
      await kafka.crash();
      await pause(seconds * 1_000);
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
      report('down', load, { p50, p99, ratio: p99.during / p99.before, caughtUpMs, during: during.length });
      expectNoFailure(load);
      expect(p99.during).toBeLessThanOrEqual(1.5 * p99.before + noiseMs);
      await settled(world);
      await expectNothingLostOrDoubled(world, load);
      await expectCarriedInOrder(world);
      expectNoRestart();
    },
    startMs + warmUpMs + baselineMs + seconds * 1_000,
  );

  test(
    'frozen: the producer gives the socket up instead of waiting for it, and all is carried when it answers again',
    async () => {
      const frozenMs = process.env.FAULT_SECONDS ? 20_000 : 7_000;
      const load = await startLoad(world, { ...clients, writers: 4 });
      await pause(500);
      kafka.signal('SIGSTOP');
      await pause(frozenMs);
      kafka.signal('SIGCONT');
      const backAtMs = performance.now();
      await until(() => lagIsSmall(world), caughtUpWithinMs);
      report('frozen', load, { caughtUpMs: performance.now() - backAtMs });
      await load.stop();
      expectNoFailure(load);
      await settled(world);
      await expectNothingLostOrDoubled(world, load);
      await expectCarriedInOrder(world);
      // The relay's own timeout fired: the socket that did not answer was given up.
      expect(world.log('relay')).toContain('Kafka did not acknowledge in time');
      expectNoRestart();
    },
    startMs,
  );

  function expectNoRestart(): void {
    expect(world.fleet.members.map(({ pid, running }) => (running ? pid : undefined))).toEqual(pids);
  }
});

/** Whether a change that is made now is in the audit trail within a second. */
async function lagIsSmall(world: FleetWorld): Promise<boolean> {
  const { id, key } = await world.newKey();
  const madeAtMs = performance.now();
  await ask(`${world.api[0]}/products`, { method: 'POST', key, body: '{"product":{"name":"Lag"}}' });
  for (;;) {
    const { rowCount } = await world.database.query('select from gateway.audit_entries where key_id = $1', [id]);
    const lag = performance.now() - madeAtMs;
    if (rowCount === 1) return lag < lagMaxMs;
    if (lag > lagMaxMs) return false;
    await pause(10);
  }
}

function expectNoFailure(load: Load): void {
  expect(Object.keys({ ...statuses(load.writes), ...statuses(load.reads) }).sort()).toEqual(['200', '201']);
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

function report(what: string, load: Load, figures: object): void {
  if (process.env.FAULT_REPORT) console.error(what, { ...figures, writes: statuses(load.writes), reads: statuses(load.reads) });
}
