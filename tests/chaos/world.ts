/**
 * The product as one process per app, with two gateways and two webhooks, on a PostgreSQL, a Kafka and a Redis that can be
 * killed or cut off, with subscribers and a journal of commits.
 */
import path from 'node:path';
import { appNames, apps, scopes, serviceNames, topicOf } from '@store/contract';
import { standingOf } from '@store/events';
import { logNothing } from '@store/testbed/log';
import { repository } from '../../tools/local/data-dir.ts';
import { type FleetWorld, openFleetWorld } from '../kit/fleet-world.ts';
import { succeed } from '../kit/http.ts';
import { jumpingClock } from '../kit/jumping-clock.ts';
import { type PgBouncer, type PgBouncerOptions, startPgBouncer } from '../kit/pgbouncer.ts';
import { logIn, makeStore } from '../kit/stores.ts';
import { memberTarget, type Target } from './faults.ts';
import { installJournal, stampDeliveries, watchStoreChanges } from './journal.ts';
import type { LoadWorld } from './load.ts';
import { Pods, withPodNames } from './pods.ts';
import { type Poller, startPoller } from './poller.ts';
import { openReceivers, type ScriptedReceiver } from './receivers.ts';
import { type Brokers, openServers } from './servers.ts';
import { openTillStore, type TillStore } from './till-load.ts';

export interface Subscribed extends ScriptedReceiver {
  id: number;
  secret: string;
}

export interface ChaosWorld {
  load: LoadWorld;
  fleet: FleetWorld;
  subscribed: Subscribed[];
  /** Of subscriptions that come and go. */
  passing: ScriptedReceiver;
  targets: Target[];
  /** The stores whose tills share cards and credit. */
  tillStores: TillStore[];
  /** Of the admins of all stores. */
  tokens: string[];
  poller: Poller | undefined;
  /** When the journal began (ISO); the store itself was created before. */
  watchedSince: string;
  /** Messages that a group has not handled yet. */
  lag(group: string): Promise<number>;
  close(): Promise<void>;
}

const madeAtOnce = 8;

export interface WorldOptions {
  /** A key that Redis has lost is cold: its limit is 60 a minute. */
  keys: number;
  brokers: Brokers;
  /** Whether the wall clock of each process can be set. */
  clocks: boolean;
  /** Stores with tills; the rest of the load is of the first. */
  stores: number;
  /** Services that have two processes, both of which are called. */
  twice: string[];
  /** The mode of a PgBouncer between the processes and PostgreSQL, which suffers too. */
  pooler: PgBouncerOptions['mode'] | undefined;
  log: (line: string) => void;
}

export async function openChaosWorld({ keys, brokers, clocks, stores, twice, pooler, log }: WorldOptions): Promise<ChaosWorld> {
  const closes: (() => Promise<void>)[] = [];
  /** A part that fails to stop does not keep the others from stopping. */
  const close = async () => {
    const failures: unknown[] = [];
    for (const end of closes.splice(0).reverse()) await end().catch((error: unknown) => void failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  /** Closes the parts that did start when another one fails. */
  const opened = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
    const one = await opening;
    closes.push(() => one.close());
    return one;
  };
  try {
    log('Starting PostgreSQL, Redis and Kafka');
    const servers = await openServers(brokers, opened);
    const receivers = await opened(openReceivers());
    log('Starting the processes');
    const pods = twice.length > 0 ? new Pods() : undefined;
    if (pods) closes.push(async () => pods.close());
    let bouncer: PgBouncer | undefined;
    const fleet = await openFleetWorld({
      gateways: 2,
      besides: { webhooks: 1, ...Object.fromEntries(twice.map((app) => [app, 1])) },
      relays: 2,
      restart: true,
      env: { ...servers.env, ...receivers.env, ...pods?.env },
      kafkaReplicas: brokers,
      ...(pods && { places: pods }),
      ...(pooler && {
        pooled: async (urls: string[]) => {
          bouncer = await opened(startPgBouncer({ mode: pooler, urls }));
          return bouncer.through;
        },
      }),
      entry: (app) => [...(clocks ? jumpingClock : []), ...(pods ? withPodNames(app) : [fileOf(app)])],
    });
    pods?.publishAll();
    closes.push(async () => {
      // No clean shutdown is needed: the history has been gathered.
      await Promise.all(fleet.fleet.members.map((member) => member.kill()));
      await fleet.close();
    });
    const watchedSince = new Date().toISOString();
    await installJournal(fleet.database, appNames);
    await watchStoreChanges(fleet.database);
    await stampDeliveries(fleet.database);
    const subscribed = await subscribe(fleet, receivers.all);
    const others = Array.from({ length: stores - 1 }, async () => logIn(fleet.api[0]!, await makeStore(fleet.databaseUrl)));
    const tokens = [fleet.token, ...(await Promise.all(others))];
    const { key } = await fleet.newKey({ scopes });
    return {
      tillStores: await Promise.all(tokens.map((token) => openTillStore(fleet.api[0]!, token))),
      tokens,
      poller: startPoller(fleet.api, fleet.storeId, key),
      load: { api: fleet.api, keys: await makeKeys(fleet, keys), token: fleet.token },
      fleet,
      subscribed,
      passing: receivers.passing,
      watchedSince,
      targets: [
        ...fleet.fleet.members.map((member) => memberTarget(member, clocks && !member.name.startsWith('relay'))),
        ...servers.targets,
        ...(bouncer ? [bouncerTarget(bouncer)] : []),
      ],
      lag: (group) => lagOf(fleet, group),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const bouncerTarget = ({ kill, start, signal }: PgBouncer): Target => ({
  name: 'pgbouncer',
  kill,
  start,
  freeze: () => signal('SIGSTOP'),
  thaw: () => signal('SIGCONT'),
});

const fileOf = (app: string): string => path.join(repository, 'apps', app, 'src/run.ts');
/** Services of which two processes can share a name. */
export const callable: string[] = [...serviceNames];

/** Consumer groups, one of each app's name, and what they listen to. */
export const listened: Record<string, string[]> = Object.fromEntries(appNames.map((app) => [app, apps[app].consumes.map(topicOf)]));

export async function lagOf(fleet: FleetWorld, group: string): Promise<number> {
  const options = { brokers: fleet.brokers.split(','), prefix: fleet.kafkaPrefix, log: logNothing };
  return (await standingOf({ ...options, group, topics: listened[group]! })).behind;
}

export async function subscribe(world: FleetWorld, receivers: ScriptedReceiver[]): Promise<Subscribed[]> {
  const { key } = await world.newKey({ scopes: ['webhooks:manage'] });
  const subscribed: Subscribed[] = [];
  for (const receiver of receivers) {
    const body = { webhook_subscription: { url: receiver.url, events: receiver.script.events } };
    const { id, secret } = (await succeed('POST', `${world.api[0]}/webhook_subscriptions`, { key, body })).data;
    subscribed.push(Object.assign(receiver, { id, secret }));
  }
  return subscribed;
}

export async function makeKeys(world: FleetWorld, count: number): Promise<string[]> {
  const keys: string[] = [];
  while (keys.length < count) {
    const created = await Promise.all(Array.from({ length: madeAtOnce }, () => world.newKey()));
    keys.push(...created.map(({ key }) => key));
  }
  return keys;
}
