/**
 * Every connection to PostgreSQL, Redis and Kafka falls silent at once and permanently, as when a switch loses its
 * state: no close, no reset, and new connections work. Only the timeouts of the two ends detect that (P6, P16, P17).
 */

import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, test } from '@jest/globals';
import { describeWithKafka, testDatabase } from '@store/testbed';
import { until } from '@store/testbed/until';
import { openClient } from '@store/testbed/with-client';
import type pg from 'pg';
import type { Answer } from '../kit/http.ts';
import { outboxRows } from '../kit/outbox-rows.ts';
import { ownKafka } from '../kit/own-servers.ts';
import { openReceiver, type Receiver, resourceOf } from '../kit/receiver.ts';
import { openTcpProxy, type TcpProxy, through } from '../kit/tcp-proxy.ts';
import { useFleet } from '../kit/use.ts';
import { report, startLoad } from './load.ts';

const startMs = 120_000;
const drainedWithinMs = 30_000;
const writableWithinMs = 60_000;
const arrivedWithinMs = 60_000;
const writtenMs = 2_000;

describeWithKafka('Every connection that is silent for good', () => {
  let networks: Record<'postgres' | 'redis' | 'kafka', TcpProxy>;
  let receiver: Receiver;
  /** Bypasses the proxy that freezes. */
  let judge: pg.Client;
  afterAll(async () => {
    // A clean close over silent connections is not waited for.
    await Promise.all(world.fleet?.members.map((member) => member.kill()) ?? []);
    await Promise.all(Object.values(networks ?? {}).map((network) => network.close()));
  }, startMs);
  const world = useFleet(async (opened) => {
    networks = { postgres: await openTcpProxy(), redis: await openTcpProxy(), kafka: await openTcpProxy() };
    const kafka = await opened(ownKafka(networks.kafka.port));
    receiver = await opened(openReceiver());
    const database = await opened(testDatabase('frozen', async () => undefined));
    judge = await opened(openClient(database.url), (one) => one.end());
    const env = {
      DATABASE_URL: through(networks.postgres, database.url),
      REDIS_URL: through(networks.redis, process.env.TEST_REDIS_URL!),
      KAFKA_BROKERS: through(networks.kafka, kafka.address),
      ...receiver.env,
    };
    return { env };
  });

  test(
    'is given up by both ends: outboxes, writes and a subscriber recover in time',
    async () => {
      const { key } = await world.newKey({ scopes: ['webhooks:manage'] });
      await world.subscribe(key, `${receiver.url}/stock`, ['inventory.adjusted']);
      const load = await startLoad(world, { writers: 5, readers: 0, pace: 5, only: 'adjustments' });
      await until(() => receiver.hooks.length > 0, startMs);

      for (const network of Object.values(networks)) network.freeze();
      const frozenAtMs = performance.now();
      await wait(writtenMs);
      await load.stop();
      await until(async () => (await outboxRows(judge)) === 0, drainedWithinMs - writtenMs);
      const drainedMs = performance.now() - frozenAtMs;

      // The first statement of each pool over a silent connection takes the timeout for all of them.
      let last: Answer[] = [];
      await until(async () => {
        last = await Promise.all(load.keys.map(({ key }, n) => adjust(key, load.products[n]!)));
        return last.every(({ status }) => status === 201);
      }, writableWithinMs);
      const writableMs = performance.now() - frozenAtMs;
      const committed = await count('inventory.inventory_transactions');
      await until(() => arrivals() >= committed, arrivedWithinMs);
      const arrivedMs = performance.now() - frozenAtMs;
      report('frozen for good', { drainedMs, writableMs, arrivedMs, committed });
      await until(async () => (await outboxRows(judge)) === 0, drainedWithinMs);
    },
    startMs + 2 * drainedWithinMs + writableWithinMs + arrivedWithinMs,
  );

  function adjust(key: string, product: number): Promise<Answer> {
    const body = { product_id: product, adjustment_type: 'receive', quantity_change: 1, reason: 'after' };
    return world.call('POST', '/stock_adjustments', { key, body });
  }

  async function count(table: string): Promise<number> {
    const { rows } = await judge.query<{ n: number }>(`select count(*)::int as n from ${table}`);
    return rows[0]!.n;
  }

  /** Events that arrived, each counted once. */
  function arrivals(): number {
    return new Set(receiver.hooks.map(resourceOf)).size;
  }
});
