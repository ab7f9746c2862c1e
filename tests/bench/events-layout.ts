/** The common part of all measurements: the layout of production, its stores and their keys, and how figures are noted. */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createTopics } from '@store/events';
import { parsePeppers } from '@store/gateway/key-text';
import { logErrors } from '@store/testbed/log';
import { openClient } from '@store/testbed/with-client';
import type pg from 'pg';
import { startBackingServers } from '../../tools/local/backing-servers.ts';
import { dataDir } from '../../tools/local/data-dir.ts';
import { type Fleet, type FleetOptions, startFleet } from '../../tools/local/fleet.ts';
import { freePort } from '../../tools/local/free-port.ts';
import { newRing } from '../../tools/local/local-secrets.ts';
import { succeed } from '../kit/http.ts';
import { percentile } from '../kit/load.ts';
import { eventOf, type Hook, openReceiver, type Receiver } from '../kit/receiver.ts';
import { type BenchStore, type Fixture, makeFixture } from './fixture.ts';

/** What a part of the bench is given. */
export interface BenchOptions {
  seconds: number;
  rounds: number;
  connections: number[];
  say(line: string): void;
  /** What must be closed afterwards, last first. */
  stops: (() => Promise<void>)[];
}

export interface LayoutOptions extends Pick<BenchOptions, 'say' | 'stops'> {
  /** Prefix of topics and groups, unique per run: otherwise this run's groups would read what an earlier run left. */
  name: string;
  /** Products of the store, and of a large one. */
  products: number;
  large?: number;
  env?: Record<string, string>;
  /** File and arguments that start an app; its own run.ts when absent. */
  entry?: FleetOptions['entry'];
  gateways?: number;
  /** Whether relays let everything else run first, as they do by default. */
  relaysYield?: boolean;
}

export interface BenchLayout {
  env: Record<string, string>;
  logDir: string;
  fleet: Fleet;
  /** Base URL below /api/v1. */
  api: string;
  store: BenchStore;
  fixture: Fixture;
  /** Of the processes that are measured, by name. */
  processes: Record<string, number>;
  /** PostgreSQL, Redis and Kafka, where they are this run's own. */
  servers: Record<string, number>;
  database: pg.Client;
}

/** Another one where it is taken: that of a second run of the bench, say. */
const gatewayPort = 3_100;

export async function openLayout({
  name,
  products,
  large = 1,
  env: more,
  entry,
  gateways = 1,
  relaysYield = true,
  say,
  stops,
}: LayoutOptions): Promise<BenchLayout> {
  const dir = path.join(dataDir(), 'bench');
  // A gateway refuses keys of another run's pepper, and a broker carries the topics of all runs.
  for (const server of ['postgres', 'kafka']) rmSync(path.join(dir, server), { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const parts = await startBackingServers(dir, true, say);
  stops.push(() => parts.stop());
  const prefix = `${name}-${Date.now()}.`;
  const env = {
    ...parts.env,
    KEY_PEPPERS: newRing(),
    SECRET_KEYS: newRing(),
    LOG_LEVEL: 'warn',
    GATEWAY_PORT: String(await freePort(gatewayPort)),
    KAFKA_PREFIX: prefix,
    ...more,
  };
  await createTopics({ brokers: env.KAFKA_BROKERS.split(','), prefix, partitions: 6, replicas: 1, log: logErrors });
  const logDir = path.join(dir, 'logs');
  const fleet = await startFleet({ env, logDir, entry, gateways, relaysYield });
  stops.push(() => fleet.stop());
  const fixture = await makeFixture(env.DATABASE_URL, parsePeppers(env.KEY_PEPPERS)[0]!, { small: products, large });
  const database = await openClient(env.DATABASE_URL);
  stops.push(() => database.end());
  const services = Object.fromEntries(fleet.members.map((member) => [member.name, member.pid!]));
  const servers = Object.fromEntries(Object.entries(parts.pids).filter(([, pid]) => pid)) as Record<string, number>;
  const processes = { ...services, ...(servers.postgres && { postgres: servers.postgres }) };
  return { env, logDir, fleet, servers, api: `${fleet.gateways[0]}/api/v1`, store: fixture.small, fixture, processes, database };
}

/** Figures by name, each printed as soon as it is measured. */
export function openNotes(): { figures: Record<string, unknown>; note(name: string, figure: object): void } {
  const figures: Record<string, unknown> = {};
  return {
    figures,
    note: (name, figure) => {
      figures[name] = figure;
      console.log(`${name}: ${JSON.stringify(figure)}`);
    },
  };
}

/** In the unit of the latencies, to a tenth. */
export interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
  n: number;
}

export function percentiles(latencies: number[]): Percentiles {
  const at = (share: number) => Number(percentile(latencies, share).toFixed(1));
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), n: latencies.length };
}

/** A webhook subscription of a key that has completed a request; its signing secret, and what deletes it. */
export async function subscribe(
  api: string,
  key: string,
  url: string,
  events: string[],
): Promise<{ secret: string; end(): Promise<void> }> {
  const { data } = await succeed('POST', `${api}/webhook_subscriptions`, { key, body: { webhook_subscription: { url, events } } });
  return { secret: data.secret, end: () => succeed('DELETE', `${api}/webhook_subscriptions/${data.id}`, { key }) };
}

/** Hooks of distinct events and paths. */
export const distinct = (hooks: Hook[]): number => new Set(hooks.map((hook) => `${hook.path} ${eventOf(hook)}`)).size;

/** POSTs to this path are never answered. */
export const hangingPath = '/hang';

export async function openBenchReceiver({ stops }: Pick<BenchOptions, 'stops'>): Promise<Receiver> {
  const receiver = await openReceiver();
  receiver.answer = ({ path: to }) => (to === hangingPath ? 'none' : { status: 204 });
  stops.push(() => receiver.close());
  return receiver;
}
