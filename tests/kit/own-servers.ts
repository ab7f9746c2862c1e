/** PostgreSQL, Redis and Kafka for one test alone, to be stopped, frozen and restarted on the same port. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { until } from '@store/testbed/until';
import { freePort } from '../../tools/local/free-port.ts';
import { startKafka } from '../../tools/local/kafka.ts';
import { type KafkaCluster, startKafkaCluster } from '../../tools/local/kafka-cluster.ts';
import { type RunningServer, startPostgres } from '../../tools/local/postgres.ts';
import { isAlive } from '../../tools/local/postgres-leftover.ts';
import { startRedis } from '../../tools/local/redis.ts';
import { withChildren } from './usage.ts';

export interface OwnServer {
  /** URL, or host:port of Kafka. */
  address: string;
  signal(signal: NodeJS.Signals): void;
  /** Its processes, including those that it started. */
  pids(): number[];
  /** Kills it without a clean shutdown. */
  crash(): Promise<void>;
  /** Restarts it with its data; resolves when it accepts connections. */
  start(): Promise<void>;
  close(): Promise<void>;
}

const crashedWithinMs = 10_000;

/** Commits are on the disk before they are acknowledged, as in production. */
export function ownPostgres(): Promise<OwnServer> {
  return own('SIGQUIT', (dir, port) => startPostgres({ dataDir: path.join(dir, 'postgres'), port, durable: true, log: () => undefined }));
}

export function ownRedis(): Promise<OwnServer> {
  return own('SIGKILL', async (_dir, port) => {
    const running = await startRedis(() => undefined, port);
    if ('skipped' in running) throw new Error(running.skipped);
    return running;
  });
}

/** `advertised`: the port that clients are told to use, that of a proxy. */
export function ownKafka(advertised?: number): Promise<OwnServer> {
  return own('SIGKILL', async (dir, port) => {
    const running = await startKafka(path.join(dir, 'kafka'), () => undefined, { port, advertised });
    if ('skipped' in running) throw new Error(running.skipped);
    return running;
  });
}

/** Three brokers. `advertised`: the ports that clients are told to use, those of proxies. */
export async function ownKafkaCluster(advertised?: number[]): Promise<KafkaCluster> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'store-own-kafka-'));
  const cluster = await startKafkaCluster({ dir, log: () => undefined, ...(advertised && { advertised }) });
  if ('skipped' in cluster) throw new Error(cluster.skipped);
  return cluster;
}

async function own(crashSignal: NodeJS.Signals, launch: (dir: string, port: number) => Promise<RunningServer>): Promise<OwnServer> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'store-own-'));
  // PostgreSQL refuses to run as root, so it gets a user of its own where the tests run as root.
  chmodSync(dir, 0o755);
  // Below the ephemeral ports: the system assigns it to no other process while the server is down.
  let running: RunningServer | undefined = await launch(dir, await freePort(0));
  const { url: address } = running;
  const port = Number(address.slice(address.lastIndexOf(':') + 1).split('/')[0]);
  return {
    address,
    signal: (signal) => void (running && process.kill(running.pid, signal)),
    pids: () => (running ? withChildren(running.pid) : []),
    crash: async () => {
      if (!running) return;
      const { pid } = running;
      running = undefined;
      process.kill(pid, crashSignal);
      await until(() => !isAlive(pid), crashedWithinMs);
    },
    start: async () => {
      running = await launch(dir, port);
      if (running.url !== address) throw new Error(`${running.url} took the place of ${address}`);
    },
    close: async () => {
      if (running) process.kill(running.pid, 'SIGCONT');
      await running?.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
