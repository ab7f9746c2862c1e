/** Three Kafka brokers on loopback, each of which can be killed, frozen and restarted: for tests of a real cluster's behaviour. */
import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { endChild } from './end-child.ts';
import { freePort } from './free-port.ts';
import { type BrokerSettings, kafkaMissing, launch, newClusterId, untilListening } from './kafka.ts';

export interface KafkaCluster {
  /** Comma-separated host:port of every broker. */
  brokers: string;
  nodes: KafkaNode[];
  /** Ends the brokers and removes their data. */
  close(): Promise<void>;
}

/** One broker, which is also a controller of the cluster. */
export interface KafkaNode {
  id: number;
  /** On which it listens. */
  port: number;
  signal(signal: NodeJS.Signals): void;
  /** Its process, once it was started. */
  pids(): number[];
  /** Kills it without a clean shutdown. */
  crash(): Promise<void>;
  /** Starts it with its existing data; resolves when it accepts connections. */
  start(): Promise<void>;
}

export interface KafkaClusterOptions {
  /** The folder of each broker's settings, data and log. */
  dir: string;
  log: (line: string) => void;
  /** Advertised ports instead of the brokers' own: a proxy's, one per broker. */
  advertised?: number[];
}

const brokers = 3;

interface Node {
  id: number;
  port: number;
  controllerPort: number;
  advertised: number;
}

/** Starts the brokers on an empty `dir`, or says why that is impossible. */
export async function startKafkaCluster({ dir, log, advertised }: KafkaClusterOptions): Promise<KafkaCluster | { skipped: string }> {
  const missing = kafkaMissing(log);
  if (missing) return { skipped: missing };
  // Below the ephemeral ports: the system assigns one to no other process while its broker is down.
  const ports = new Set<number>();
  while (ports.size < 2 * brokers) ports.add(await freePort(0));
  const members = Array.from({ length: brokers }, (_, n): Node => {
    const [port, controllerPort] = [...ports].slice(2 * n) as [number, number];
    return { id: n + 1, port, controllerPort, advertised: advertised?.[n] ?? port };
  });
  const voters = members.map(({ id, controllerPort }) => `${id}@127.0.0.1:${controllerPort}`).join(',');
  const clusterId = newClusterId();
  const nodes = members.map((member) => nodeOf(path.join(dir, `broker-${member.id}`), member, voters, clusterId));
  const close = async () => {
    // Killed: their data is deleted too, and a clean stop of the last ones would wait for a majority.
    await Promise.all(nodes.map((node) => node.crash()));
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    await Promise.all(nodes.map((node) => node.start()));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    brokers: members.map((member) => `127.0.0.1:${member.advertised}`).join(','),
    nodes,
    close,
  };
}

function nodeOf(dir: string, member: Node, voters: string, clusterId: string): KafkaNode {
  let child: ChildProcess | undefined;
  return {
    id: member.id,
    port: member.port,
    signal: (signal) => void child?.kill(signal),
    pids: () => (child?.pid === undefined ? [] : [child.pid]),
    crash: async () => {
      if (child) await endChild(child, 'SIGKILL');
    },
    start: async () => {
      child = await launch(dir, settingsOf(member, voters), { clusterId });
      await untilListening(child, member.port, dir);
    },
  };
}

/**
 * Like a production cluster: three replicas, of which two must have a message before it is acknowledged. A dead broker is
 * detected after 2 s instead of 9, and leadership returns to the preferred broker within a second instead of five
 * minutes, so that a test sees many of both.
 */
const settingsOf = ({ id, port, controllerPort, advertised }: Node, voters: string): BrokerSettings => ({
  'node.id': id,
  'controller.quorum.voters': voters,
  listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
  'advertised.listeners': `PLAINTEXT://127.0.0.1:${advertised}`,
  'default.replication.factor': brokers,
  'min.insync.replicas': 2,
  'unclean.leader.election.enable': false,
  'offsets.topic.replication.factor': brokers,
  'transaction.state.log.replication.factor': brokers,
  'transaction.state.log.min.isr': 2,
  'broker.session.timeout.ms': 2_000,
  'broker.heartbeat.interval.ms': 500,
  'auto.leader.rebalance.enable': true,
  'leader.imbalance.check.interval.seconds': 1,
  'leader.imbalance.per.broker.percentage': 0,
});
