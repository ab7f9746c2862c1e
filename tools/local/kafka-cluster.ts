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
  const members: Node[] = [];
  for (let id = 1; id <= brokers; id++) {
    const port = await somePort(members.flatMap((member) => [member.port, member.controllerPort]));
    const controllerPort = await somePort([port, ...members.flatMap((member) => [member.port, member.controllerPort])]);
    members.push({ id, port, controllerPort, advertised: advertised?.[id - 1] ?? port });
  }
  const voters = members.map(({ id, controllerPort }) => `${id}@127.0.0.1:${controllerPort}`).join(',');
  const clusterId = newClusterId();
  const nodes = members.map((member) => new KafkaNode(path.join(dir, `broker-${member.id}`), member, voters, clusterId));
  const close = async () => {
    // Killed: their data is deleted too, and a clean stop of the last ones would wait for a majority.
    await Promise.all(nodes.map((node) => node.kill()));
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

/** One broker, which is also a controller of the cluster. */
export class KafkaNode {
  readonly id: number;
  /** host:port on which it listens. */
  readonly address: string;
  readonly #dir: string;
  readonly #clusterId: string;
  readonly #settings: BrokerSettings;
  readonly #member: Node;
  #child: ChildProcess | undefined;

  constructor(dir: string, member: Node, voters: string, clusterId: string) {
    this.id = member.id;
    this.address = `127.0.0.1:${member.port}`;
    this.#member = member;
    this.#dir = dir;
    this.#clusterId = clusterId;
    this.#settings = settingsOf(member, voters);
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts it with its existing data; resolves when it accepts connections. */
  async start(): Promise<void> {
    const child = await launch(this.#dir, this.#settings, { clusterId: this.#clusterId });
    this.#child = child;
    await untilListening(child, this.#member.port, this.#dir);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Kills it without a clean shutdown. */
  async kill(): Promise<void> {
    if (this.#child) await endChild(this.#child, 'SIGKILL');
  }
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

/** Below the ephemeral ports: the system assigns it to no other process while a broker is down. */
async function somePort(taken: number[]): Promise<number> {
  for (;;) {
    const port = await freePort(0);
    if (!taken.includes(port)) return port;
  }
}
