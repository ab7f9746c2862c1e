/** One process per app on its own database and topics, on the PostgreSQL, Redis and Kafka of the test run. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createTopics } from '@store/events';
import { logNothing } from '@store/testbed/log';
import { migratedDatabase } from '../../tools/dev/migrated-database.ts';
import { type Fleet, type FleetOptions, startFleet } from '../../tools/local/fleet.ts';
import { newSecrets } from './stores.ts';

export interface TestFleet {
  fleet: Fleet;
  databaseUrl: string;
  /** Comma-separated host:port. */
  brokers: string;
  /** Prefix of this fleet's topics and groups: many fleets share one Kafka. */
  kafkaPrefix: string;
  /** The folder of each process's log. */
  logDir: string;
  /** The log of a process. */
  log(member: string): string;
  close(): Promise<void>;
}

export interface TestFleetOptions
  extends Pick<FleetOptions, 'gateways' | 'besides' | 'relays' | 'restart' | 'entry' | 'folder' | 'healthPort' | 'places' | 'pooled'> {
  env?: Record<string, string>;
  /** Receives what the fleet says in the terminal. */
  say?: FleetOptions['log'];
  /** Brokers that keep each topic; one when absent. */
  kafkaReplicas?: number;
}

/** Arguments of Node for an app whose wall clock SIGUSR2 sets. */
export const jumpingClock = ['--import', path.join(import.meta.dirname, 'clock-ahead.ts')];

const kafkaPartitions = 6;
/** Below the ephemeral ports, and rarely those of another world that starts at the same time. */
const somePort = () => 10_000 + Math.floor(Math.random() * 20_000);
/** Ports of the gateways come first, those of the services after them: the two never meet. */
const gatewaysMax = 10;

/** `name` is part of the names of what it creates. A test's own PostgreSQL, Redis or Kafka are given in `env`. */
export async function openTestFleet(name: string, { env: more, kafkaReplicas = 1, say, ...options }: TestFleetOptions): Promise<TestFleet> {
  const copy = more?.DATABASE_URL ? undefined : await migratedDatabase();
  const firstPort = somePort();
  const logDir = mkdtempSync(path.join(os.tmpdir(), `store-${name}-`));
  const kafkaPrefix = `${randomBytes(4).toString('hex')}.`;
  const env = {
    DATABASE_URL: copy?.url ?? '',
    REDIS_URL: process.env.TEST_REDIS_URL,
    KAFKA_BROKERS: process.env.TEST_KAFKA_BROKERS ?? '',
    KAFKA_PREFIX: kafkaPrefix,
    ...newSecrets(),
    GATEWAY_PORT: String(firstPort),
    LOG_LEVEL: 'warn',
    ...more,
  };
  const brokers = env.KAFKA_BROKERS;
  let fleet: Fleet | undefined;
  const close = async () => {
    await fleet?.stop();
    await copy?.close();
    if (process.env.KEEP_LOGS) console.error(`The logs are in ${logDir}`);
    else rmSync(logDir, { recursive: true });
  };
  try {
    await createTopics({
      brokers: brokers.split(','),
      prefix: kafkaPrefix,
      partitions: kafkaPartitions,
      replicas: kafkaReplicas,
      log: logNothing,
    });
    fleet = await startFleet({ ...options, env, logDir, firstPort: firstPort + gatewaysMax, ...(say && { log: say }) });
  } catch (error) {
    await close();
    throw error;
  }
  const log = (member: string) => readFileSync(path.join(logDir, `${member}.log`), 'utf8');
  return { fleet, databaseUrl: env.DATABASE_URL, brokers, kafkaPrefix, logDir, log, close };
}
