/**
 * The product as one process per app, with two gateways and two webhooks, on a PostgreSQL, a Kafka and a Redis that can be
 * killed or cut off, with subscribers and a journal of commits.
 */
import { scopes } from '@store/contract';
import { runFile } from '../../tools/local/data-dir.ts';
import { openFleetWorld } from '../kit/fleet-world.ts';
import { openedIn } from '../kit/opened.ts';
import { type PgBouncer, type PgBouncerOptions, startPgBouncer } from '../kit/pgbouncer.ts';
import { logIn, makeStore } from '../kit/stores.ts';
import { jumpingClock } from '../kit/test-fleet.ts';
import { memberTarget, type Target } from './faults.ts';
import { stampDeliveries } from './journal.ts';
import { Pods, withPodNames } from './pods.ts';
import { startPoller } from './poller.ts';
import { openReceivers, type ScriptedReceiver } from './receivers.ts';
import { type Brokers, openServers } from './servers.ts';
import { openTillStore, type TillStore } from './till-load.ts';
import { type WatchedWorld, watch } from './watched-world.ts';

export interface ChaosWorld extends WatchedWorld {
  passing: ScriptedReceiver;
  targets: Target[];
  /** The stores whose tills share cards and credit. */
  tillStores: TillStore[];
  close(): Promise<void>;
}

export interface WorldOptions {
  /** A key that Redis has lost is cold: its limit is 60 a minute. */
  keys: number;
  brokers: Brokers;
  /** Whether the wall clock of each process can be set. */
  clocks: boolean;
  /** Stores with tills that share cards and credit; the rest of the load is of the first. */
  stores: number;
  /** Services that have two processes, both of which are called. */
  twice: string[];
  /** The mode of a PgBouncer between the processes and PostgreSQL, which suffers too. */
  pooler?: PgBouncerOptions['mode'] | undefined;
  log: (line: string) => void;
}

export async function openChaosWorld({ keys, brokers, clocks, stores, twice, pooler, log }: WorldOptions): Promise<ChaosWorld> {
  const parts = new AsyncDisposableStack();
  const opened = openedIn(parts);
  try {
    log('Starting PostgreSQL, Redis and Kafka');
    const servers = await openServers(brokers, opened);
    const receivers = await opened(openReceivers());
    log('Starting the processes');
    const pods = twice.length > 0 ? parts.adopt(new Pods(), (all) => all.close()) : undefined;
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
      entry: (app) => [...(clocks ? jumpingClock : []), ...(pods ? withPodNames(app) : [runFile(app)])],
    });
    pods?.publishAll();
    parts.defer(async () => {
      // No clean shutdown is needed: the history has been gathered.
      await Promise.all(fleet.fleet.members.map((member) => member.kill()));
      await fleet.close();
    });
    const watched = await watch(fleet, receivers.all, keys);
    await stampDeliveries(fleet.database);
    const others = Array.from({ length: stores - 1 }, async () => logIn(fleet.api[0]!, await makeStore(fleet.databaseUrl)));
    const tokens = [fleet.token, ...(await Promise.all(others))];
    const { key } = await fleet.newKey({ scopes });
    return {
      ...watched,
      tillStores: await Promise.all(tokens.map((token) => openTillStore(fleet.api[0]!, token))),
      tokens,
      poller: startPoller(fleet.api, fleet.storeId, key),
      passing: receivers.passing,
      targets: [
        ...fleet.fleet.members.map((member) => memberTarget(member, clocks && !member.name.startsWith('relay'))),
        ...servers.targets,
        ...(bouncer ? [bouncerTarget(bouncer)] : []),
      ],
      close: () => parts.disposeAsync(),
    };
  } catch (error) {
    await parts.disposeAsync();
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
