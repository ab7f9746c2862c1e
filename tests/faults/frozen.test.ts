/**
 * Every connection to PostgreSQL, Redis and Kafka falls silent at once and permanently, as when a switch loses its
 * state: no close, no reset, and new connections work. Only the timeouts of the two ends detect that (P6, P16, P17).
 */

import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { appNames } from '@store/contract';
import { describeWithKafka, type TestDatabase, testDatabase } from '@store/testbed';
import pg from 'pg';
import { openTcpProxy, type TcpProxy } from '../chaos/tcp-proxy.ts';
import { openReceiver, type Receiver } from '../journeys/receiver.ts';
import { type Asked, ask, type FleetWorld, openFleetWorld, until } from './fleet-world.ts';
import { pause, startLoad, stopLoads } from './load.ts';
import { type OwnServer, ownKafka } from './own-servers.ts';

const startMs = 120_000;
const drainedWithinMs = 30_000;
const writableWithinMs = 60_000;
const arrivedWithinMs = 60_000;
const writtenMs = 2_000;

describeWithKafka('Every connection that is silent for good', () => {
  const closes: (() => Promise<void>)[] = [];
  const opened = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
    const one = await opening;
    closes.push(() => one.close());
    return one;
  };
  let networks: Record<'postgres' | 'redis' | 'kafka', TcpProxy>;
  let kafka: OwnServer;
  let receiver: Receiver;
  let database: TestDatabase;
  /** Bypasses the proxy that freezes. */
  let judge: pg.Client;
  let world: FleetWorld;
  beforeAll(async () => {
    networks = { postgres: await openTcpProxy(), redis: await openTcpProxy(), kafka: await openTcpProxy() };
    kafka = await opened(ownKafka(networks.kafka.port));
    receiver = await opened(openReceiver());
    database = await opened(testDatabase('frozen', async () => undefined));
    judge = new pg.Client({ connectionString: database.url });
    await judge.connect();
    closes.push(() => judge.end());
    const env = {
      DATABASE_URL: through(networks.postgres, database.url),
      REDIS_URL: through(networks.redis, process.env.TEST_REDIS_URL!),
      KAFKA_BROKERS: through(networks.kafka, kafka.address),
      ...receiver.env,
    };
    world = await opened(openFleetWorld({ env }));
  }, startMs);
  afterEach(stopLoads);
  afterAll(async () => {
    // A clean close over silent connections is not waited for.
    await Promise.all(world?.fleet.members.map((member) => member.kill()) ?? []);
    await Promise.all(Object.values(networks ?? {}).map((network) => network.close()));
    for (const close of closes.reverse()) await close();
  }, startMs);

  test(
    'is given up by both ends: every outbox drains within 30 s, every write succeeds again within a minute, and a subscriber gets every event',
    async () => {
      const { key } = await world.newKey({ scopes: ['webhooks:manage'] });
      const body = JSON.stringify({ webhook_subscription: { url: `${receiver.url}/stock`, events: ['inventory.adjusted'] } });
      expect((await ask(`${world.api[0]}/webhook_subscriptions`, { method: 'POST', key, body })).status).toBe(201);
      const load = await startLoad(world, { writers: 5, readers: 0, pace: 5, only: 'adjustments' });
      await until(() => receiver.hooks.length > 0, startMs);

      for (const network of Object.values(networks)) network.freeze();
      const frozenAtMs = performance.now();
      await pause(writtenMs);
      await load.stop();
      await until(async () => (await waiting()) === 0, drainedWithinMs - writtenMs);
      const drainedMs = performance.now() - frozenAtMs;

      // The first statement of each pool over a silent connection takes the timeout for all of them.
      let last: Asked[] = [];
      await until(async () => {
        last = await Promise.all(load.keys.map(({ key }, n) => adjust(key, load.products[n]!)));
        return last.every(({ status }) => status === 201);
      }, writableWithinMs);
      const writableMs = performance.now() - frozenAtMs;
      const committed = await count('inventory.inventory_transactions');
      await until(() => arrivals() >= committed, arrivedWithinMs);
      const arrivedMs = performance.now() - frozenAtMs;
      if (process.env.FAULT_REPORT) console.error('frozen for good', { drainedMs, writableMs, arrivedMs, committed });
      await until(async () => (await waiting()) === 0, drainedWithinMs);
    },
    startMs + 2 * drainedWithinMs + writableWithinMs + arrivedWithinMs,
  );

  function adjust(key: string, product: number): Promise<Asked> {
    const body = JSON.stringify({ product_id: product, adjustment_type: 'receive', quantity_change: 1, reason: 'after' });
    return ask(`${world.api[0]}/stock_adjustments`, { method: 'POST', key, body });
  }

  async function count(table: string): Promise<number> {
    const { rows } = await judge.query<{ n: number }>(`select count(*)::int as n from ${table}`);
    return rows[0]!.n;
  }

  /** Events that have not been published yet. */
  async function waiting(): Promise<number> {
    let all = 0;
    for (const schema of appNames) all += await count(`${schema}.outbox`);
    return all;
  }

  /** Events that arrived, each counted once. */
  function arrivals(): number {
    return new Set(receiver.hooks.map(({ body }) => (JSON.parse(body.toString()) as { resource_id: number }).resource_id)).size;
  }
});

/** The server's address with the proxy's port. */
function through(network: TcpProxy, address: string): string {
  const [, port] = /:(\d+)(?:\/\w+)?$/.exec(address)!;
  network.forwardTo(Number(port));
  return address.replace(`:${port}`, `:${network.port}`);
}
