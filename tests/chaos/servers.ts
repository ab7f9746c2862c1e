/** PostgreSQL, Redis and Kafka of this run alone, each broker and server behind a proxy that can fail. */

import type { Opened } from '../kit/opened.ts';
import { ownKafka, ownKafkaCluster, ownPostgres, ownRedis } from '../kit/own-servers.ts';
import { openTcpProxy, type TcpProxy, through } from '../kit/tcp-proxy.ts';
import { serverTarget, type Target } from './faults.ts';

/** One broker, or as in production three, of which two must have a message before it is acknowledged. */
export type Brokers = 1 | 3;

export interface ChaosServers {
  /** Addresses for the services. */
  env: { DATABASE_URL: string; REDIS_URL: string; KAFKA_BROKERS: string };
  targets: Target[];
}

export async function openServers(brokers: Brokers, opened: Opened): Promise<ChaosServers> {
  const [postgresNetwork, redisNetwork] = [await opened(openTcpProxy()), await opened(openTcpProxy())];
  const starting = [opened(ownPostgres()), opened(ownRedis()), brokers === 1 ? oneBroker(opened) : threeBrokers(opened)] as const;
  await Promise.allSettled(starting);
  const [postgres, redis, kafka] = await Promise.all(starting);
  return {
    env: {
      DATABASE_URL: through(postgresNetwork, postgres.address),
      REDIS_URL: through(redisNetwork, redis.address),
      KAFKA_BROKERS: kafka.addresses,
    },
    targets: [serverTarget('postgres', postgres, postgresNetwork), ...kafka.targets, serverTarget('redis', redis, redisNetwork)],
  };
}

/** The same without proxies, for a run in which none fails: every byte of theirs would pass through the process that makes the load. */
export async function openPlainServers(opened: Opened): Promise<ChaosServers['env']> {
  const starting = [opened(ownPostgres()), opened(ownRedis()), opened(ownKafka())] as const;
  await Promise.allSettled(starting);
  const [postgres, redis, kafka] = await Promise.all(starting);
  return { DATABASE_URL: postgres.address, REDIS_URL: redis.address, KAFKA_BROKERS: kafka.address };
}

interface Kafka {
  /** Comma-separated, through the proxies. */
  addresses: string;
  targets: Target[];
}

async function oneBroker(opened: Opened): Promise<Kafka> {
  const network = await opened(openTcpProxy());
  const server = await opened(ownKafka(network.port));
  return { addresses: through(network, server.address), targets: [serverTarget('kafka', server, network)] };
}

async function threeBrokers(opened: Opened): Promise<Kafka> {
  const networks: TcpProxy[] = [];
  while (networks.length < 3) networks.push(await opened(openTcpProxy()));
  const cluster = await opened(ownKafkaCluster(networks.map(({ port }) => port)));
  const targets = cluster.nodes.map((node, n) => {
    const network = networks[n]!;
    network.forwardTo(node.port);
    return serverTarget(`kafka-${node.id}`, node, network);
  });
  return { addresses: cluster.brokers, targets };
}
