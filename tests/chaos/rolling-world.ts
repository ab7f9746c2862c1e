/** The product as one process per app with two gateways, each found under a name, on the servers of the test run or on given ones. */
import { appNames } from '@store/contract';
import type { Member } from '../../tools/local/member.ts';
import { openFleetWorld } from '../kit/fleet-world.ts';
import { openedIn } from '../kit/opened.ts';
import { drained, type EarlierRelease, makeStoreOf, openInstallation, secretsOf } from './earlier-release.ts';
import { Pods, withPodNames } from './pods.ts';
import { openReceivers } from './receivers.ts';
import { type WatchedWorld, watch } from './watched-world.ts';

export interface RollingWorld extends WatchedWorld {
  pods: Pods;
  /** Processes that were started as successors. */
  started: number;
  /** Answers by status, and what was asked where it is a failure. */
  answers: Map<string, number>;
  close(): Promise<void>;
}

export interface RollingOptions {
  /** API keys that the load uses. */
  keys: number;
  /** How long a stopping gateway still answers requests. */
  notReadyMs: number;
  env?: Record<string, string> | undefined;
  /**
   * What the product is updated from, on what it left in the empty database of `env`; absent: this version, to one with further
   * migrations, from which catalog is rolled back.
   */
  from?: EarlierRelease | undefined;
}

/** Above the ports of the fleet, below the ephemeral ones. */
const healthPort = 30_500;

export async function openRollingWorld({ keys, notReadyMs, env = {}, from }: RollingOptions): Promise<RollingWorld> {
  const parts = new AsyncDisposableStack();
  const opened = openedIn(parts);
  try {
    const pods = parts.adopt(new Pods(), (all) => all.close());
    const receivers = await opened(openReceivers());
    if (from) await openInstallation(from, env.DATABASE_URL!, receivers.passing.url);
    const fleet = await opened(
      openFleetWorld({
        gateways: 2,
        relays: 1,
        places: pods,
        healthPort,
        entry: (app) => withPodNames(app, from),
        ...(from && { folder: from.folder, making: makeStoreOf(from) }),
        env: { ...(from && secretsOf(from)), ...env, ...receivers.env, ...pods.env, GATEWAY_NOT_READY_MS: String(notReadyMs) },
      }),
    );
    if (from) await drained(fleet.database);
    const watched = await watch(fleet, receivers.all, keys);
    const answers = new Map<string, number>();
    const answered = (what: string, status: number, lost?: string) => {
      const name = failed(status) ? `${lost ?? status} ${what}` : String(status);
      answers.set(name, (answers.get(name) ?? 0) + 1);
    };
    const load = { ...watched.load, api: [...fleet.api], answered };
    return { ...watched, load, pods, started: fleet.fleet.members.length, answers, close: () => parts.disposeAsync() };
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

/** No answer, one of a service that is away, a limit, or another request under the same key that has not ended. */
const failed = (status: number): boolean => status === 0 || status >= 500 || [401, 403, 404, 408, 409, 429].includes(status);

/** Requests that failed, by status and what was asked. */
export function failuresOf({ answers }: RollingWorld): string[] {
  const sums = new Map<string, number>();
  for (const [name, times] of answers) {
    if (!name.includes(' ')) continue;
    const route = name.replace(/\?.*/, '').replace(/\/\d+/g, '/:id');
    sums.set(route, (sums.get(route) ?? 0) + times);
  }
  return [...sums].sort(([, a], [, b]) => b - a).map(([route, times]) => `${times} x ${route}`);
}

/** The app of a process with that name. */
export const appOf = (member: string): string => member.replace(/-\d+$/, '');

/**
 * In the order of an upgrade: the consumer of all events, then those that are called before those that call, the gateways, and the relay of
 * all, which waits for the schemas of its version.
 */
export function inOrder(members: Member[]): Member[] {
  const order: string[] = ['webhooks', ...appNames, 'relay'];
  const place = ({ name }: Member) => order.indexOf(appOf(name));
  return members.toSorted((a, b) => place(a) - place(b));
}
