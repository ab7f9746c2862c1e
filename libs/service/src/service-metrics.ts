import type { Db } from '@store/db';
import { type KafkaPlace, standingOf, withTimeout } from '@store/events';
import type { Channel } from '@store/rpc';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** The pool of requests; the relay and the metrics have connections of their own. */
export function measurePool(metrics: Metrics, { pool }: Pick<Db, 'pool'>): void {
  metrics.gauge('store_pool_connections_max', 'Most connections that requests of this process may use.', () => pool.max);
  metrics.gauge('store_pool_connections_in_use', 'Connections that requests use now.', () => pool.inUse);
  metrics.gauge('store_pool_waiting', 'Requests that wait for a connection.', () => pool.waiting);
  metrics.count('store_pool_timeouts_total', 'Requests that got no connection before their deadline.', () => pool.timeouts);
}

/** Calls to the service named `to`, and whether they are refused because it does not answer. */
export function measureChannel(metrics: Metrics, to: string, { breaker }: Channel): void {
  const { counts } = breaker;
  metrics.gauge('store_breaker_open', '1 while calls to the service are refused, as it does not answer.', () => Number(breaker.isOpen), {
    to,
  });
  metrics.gauge('store_calls_under_way', 'Calls to the service that wait for their answer.', () => breaker.underWay, { to });
  metrics.gauge('store_calls_limit', 'Calls to the service that may wait at once; lower while it answers slowly.', () => breaker.callsMax, {
    to,
  });
  metrics.count('store_breaker_opened_total', 'Times that calls to the service were given up.', () => counts.opened, { to });
  for (const outcome of ['answered', 'late', 'lost', 'refused'] as const)
    metrics.count('store_calls_total', 'Calls to the service by how they ended.', () => counts[outcome], { to, outcome });
}

const lagWithinMs = 3_000;
/** Each reading opens a connection to Kafka; two scrapers share one. */
const lagKeptMs = 10_000;

/** How far the app's groups are behind, as Kafka knows it; left out when Kafka does not answer in time. */
export function measureLag(metrics: Metrics, kafka: KafkaPlace, groups: { group: string; topics: string[] }[], log: Log): void {
  const behind = new Map<string, number>();
  let askedAtMs = Number.NEGATIVE_INFINITY;
  for (const { group } of groups)
    metrics.gauge('store_consumer_lag', 'Messages that the consumer group has not handled yet.', () => behind.get(group), { group });
  metrics.beforeText(async () => {
    if (performance.now() - askedAtMs < lagKeptMs) return;
    askedAtMs = performance.now();
    try {
      const asked = groups.map((one) => standingOf({ ...kafka, ...one }));
      const standings = await withTimeout(lagWithinMs, Promise.all(asked), 'no answer in time');
      for (const [index, { group }] of groups.entries()) behind.set(group, standings[index]!.behind);
    } catch (error) {
      log.warn({ err: error }, 'Kafka did not answer the metrics');
      behind.clear();
    }
  });
}
