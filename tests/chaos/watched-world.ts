/** A fleet with subscribers and a journal of commits: what a run loads, and what its history is gathered from. */
import { appNames } from '@store/contract';
import type { FleetWorld } from '../kit/fleet-world.ts';
import { installJournal, watchStoreChanges } from './journal.ts';
import type { LoadWorld } from './load.ts';
import type { Poller } from './poller.ts';
import type { ScriptedReceiver } from './receivers.ts';

export interface Subscribed extends ScriptedReceiver {
  id: number;
  secret: string;
}

export interface WatchedWorld {
  load: LoadWorld;
  fleet: FleetWorld;
  subscribed: Subscribed[];
  /** Of subscriptions that come and go; undefined: none do. */
  passing?: ScriptedReceiver;
  /** Of the admins of all stores. */
  tokens: string[];
  poller?: Poller;
  /** When the journal began (ISO); the store itself was created before. */
  watchedSince: string;
}

const madeAtOnce = 8;

/** Begins the journal, subscribes the receivers, and makes that many API keys for the load. */
export async function watch(fleet: FleetWorld, receivers: ScriptedReceiver[], keys: number): Promise<WatchedWorld> {
  const watchedSince = new Date().toISOString();
  await installJournal(fleet.database, appNames);
  await watchStoreChanges(fleet.database);
  const subscribed = await subscribe(fleet, receivers);
  const load = { api: fleet.api, keys: await makeKeys(fleet, keys), token: fleet.token };
  return { load, fleet, subscribed, tokens: [fleet.token], watchedSince };
}

async function subscribe(world: FleetWorld, receivers: ScriptedReceiver[]): Promise<Subscribed[]> {
  const { key } = await world.newKey({ scopes: ['webhooks:manage'] });
  const subscribed: Subscribed[] = [];
  for (const receiver of receivers) {
    const { id, secret } = await world.subscribe(key, receiver.url, receiver.script.events);
    subscribed.push(Object.assign(receiver, { id, secret }));
  }
  return subscribed;
}

async function makeKeys(world: FleetWorld, count: number): Promise<string[]> {
  const keys: string[] = [];
  while (keys.length < count) {
    const created = await Promise.all(Array.from({ length: madeAtOnce }, () => world.newKey()));
    keys.push(...created.map(({ key }) => key));
  }
  return keys;
}
