/** The product as one process per app, on a PostgreSQL, a Kafka and a Redis that can be killed, with subscribers and a judge. */
import { standingOf } from '@store/events';
import { logNothing } from '@store/testbed/log';
import { ask, type FleetWorld, openFleetWorld } from '../faults/fleet-world.ts';
import { ownKafka, ownPostgres, ownRedis } from '../faults/own-servers.ts';
import { memberTarget, serverTarget, type Target } from './faults.ts';
import { installJournal, watchStoreChanges } from './journal.ts';
import type { LoadWorld } from './load.ts';
import { openReceivers, type Receiver } from './receivers.ts';

export interface Subscribed extends Receiver {
  id: number;
  secret: string;
}

export interface ChaosWorld {
  load: LoadWorld;
  fleet: FleetWorld;
  subscribed: Subscribed[];
  targets: Target[];
  /** When the judge began to record (ISO); the store itself was made before. */
  watchedSince: string;
  /** Messages that a group has not handled yet. */
  lag(group: string): Promise<number>;
  close(): Promise<void>;
}

/** Each is a schema with an outbox. */
export const schemas = ['gateway', 'catalog', 'inventory', 'webhooks'];
export const topics = schemas.map((schema) => `${schema}.events`);
/** A key that Redis has forgotten has the limit of a cold one, 60 a minute. */
const keyCount = 80;
const madeAtOnce = 8;

export async function openChaosWorld(log: (line: string) => void): Promise<ChaosWorld> {
  const closes: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const end of closes.splice(0).reverse()) await end();
  };
  try {
    log('Starting PostgreSQL, Redis and Kafka');
    const [postgres, redis, kafka] = await Promise.all([ownPostgres(), ownRedis(), ownKafka()]);
    closes.push(async () => void (await Promise.all([postgres.close(), redis.close(), kafka.close()])));
    const receivers = await openReceivers();
    closes.push(() => receivers.close());
    const env = { DATABASE_URL: postgres.address, REDIS_URL: redis.address, KAFKA_BROKERS: kafka.address, ...receivers.env };
    const fleet = await openFleetWorld({ gateways: 2, restart: true, env });
    closes.push(() => fleet.close());
    const watchedSince = new Date().toISOString();
    await installJournal(fleet.database, schemas);
    await watchStoreChanges(fleet.database);
    const subscribed = await subscribe(fleet, receivers.all);
    return {
      load: { api: fleet.api, keys: await makeKeys(fleet), token: fleet.token },
      fleet,
      subscribed,
      watchedSince,
      targets: [
        ...fleet.fleet.members.map(memberTarget),
        serverTarget('postgres', postgres),
        serverTarget('kafka', kafka),
        serverTarget('redis', redis),
      ],
      lag: async (group) => {
        const options = { brokers: fleet.brokers.split(','), prefix: fleet.kafkaPrefix, log: logNothing };
        return (await standingOf({ ...options, group, topics: listened[group]! })).behind;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Consumer groups and what they listen to. */
export const listened: Record<string, string[]> = {
  gateway: topics,
  catalog: ['inventory.events', 'gateway.events'],
  inventory: ['gateway.events'],
  webhooks: ['gateway.events', 'catalog.events', 'inventory.events'],
};

async function subscribe(world: FleetWorld, receivers: Receiver[]): Promise<Subscribed[]> {
  const { key } = await world.newKey({ scopes: ['webhooks:manage'] });
  const subscribed: Subscribed[] = [];
  for (const receiver of receivers) {
    const body = JSON.stringify({ webhook_subscription: { url: receiver.url, events: receiver.script.events } });
    const made = await ask(`${world.api[0]}/webhook_subscriptions`, { method: 'POST', key, body });
    if (made.status !== 201) throw new Error(`the subscription was refused: ${JSON.stringify(made.body)}`);
    const { id, secret } = (made.body as { data: { id: number; secret: string } }).data;
    subscribed.push(Object.assign(receiver, { id, secret }));
  }
  return subscribed;
}

async function makeKeys(world: FleetWorld): Promise<string[]> {
  const keys: string[] = [];
  while (keys.length < keyCount) {
    const made = await Promise.all(Array.from({ length: madeAtOnce }, () => world.newKey()));
    keys.push(...made.map(({ key }) => key));
  }
  return keys;
}
