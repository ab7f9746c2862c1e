/** PostgreSQL, Redis and Kafka: from the environment, or started here for as long as this process runs. */
import path from 'node:path';
import { createTopics } from '@store/events';
import { kafkaAccess } from '@store/service';
import { logErrors } from '@store/testbed/log';
import { CannotStart } from './cannot-start.ts';
import { startKafka } from './kafka.ts';
import { startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';

export interface BackingServers {
  env: { DATABASE_URL: string; REDIS_URL: string; KAFKA_BROKERS: string };
  /** Servers started here; servers from the environment are absent. */
  pids: { postgres?: number; redis?: number; kafka?: number };
  stop(): Promise<void>;
}

/** Set explicitly, because partitions added later break the order per record. */
const partitions = 6;

/** `durable: false` is for tests and benchmarks that throw their data away. */
export async function startBackingServers(dir: string, durable: boolean, log: (line: string) => void): Promise<BackingServers> {
  const stops: (() => Promise<void>)[] = [];
  const pids: BackingServers['pids'] = {};
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    let { DATABASE_URL = '', REDIS_URL = '', KAFKA_BROKERS = '' } = process.env;
    if (DATABASE_URL === '') {
      const postgres = await startPostgres({ dataDir: path.join(dir, 'postgres'), durable, log });
      stops.push(() => postgres.stop());
      pids.postgres = postgres.pid;
      DATABASE_URL = postgres.url;
    }
    if (REDIS_URL === '') {
      const redis = await startRedis(log);
      if ('skipped' in redis) throw new CannotStart(`Redis is needed: ${redis.skipped}. Install it or set REDIS_URL.`);
      stops.push(() => redis.stop());
      pids.redis = redis.pid;
      REDIS_URL = redis.url;
    }
    if (KAFKA_BROKERS === '') {
      const kafka = await startKafka(path.join(dir, 'kafka'), log);
      if ('skipped' in kafka) throw new CannotStart(`Kafka is needed: ${kafka.skipped}. Install it or set KAFKA_BROKERS.`);
      stops.push(() => kafka.stop());
      pids.kafka = kafka.pid;
      KAFKA_BROKERS = kafka.url;
    }
    const kafka = { brokers: KAFKA_BROKERS.split(','), prefix: process.env.KAFKA_PREFIX, access: kafkaAccess(process.env), log: logErrors };
    await createTopics({ ...kafka, partitions, replicas: 1 });
    return { env: { DATABASE_URL, REDIS_URL, KAFKA_BROKERS }, pids, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
