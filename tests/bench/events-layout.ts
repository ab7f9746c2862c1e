/** The common part of the event and webhook measurements: the layout of production, one store and its keys. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createTopics } from '@store/events';
import { parsePeppers } from '@store/gateway/key-text';
import pg from 'pg';
import { startBackingServers } from '../../tools/local/backing-servers.ts';
import { dataDir } from '../../tools/local/data-dir.ts';
import { type Fleet, type FleetOptions, startFleet } from '../../tools/local/fleet.ts';
import { freePort } from '../../tools/local/free-port.ts';
import { type BenchStore, type Fixture, makeFixture } from './fixture.ts';

export interface LayoutOptions {
  /** Prefix of topics and groups, unique per run: otherwise this run's groups would read what an earlier run left. */
  name: string;
  /** Products of the store. */
  products: number;
  env?: Record<string, string>;
  /** File and arguments that start an app; its own run.ts when absent. */
  entry?: FleetOptions['entry'];
  gateways?: number;
  /** Whether relays let everything else run first, as they do by default. */
  relaysYield?: boolean;
  say(line: string): void;
  /** What must be closed afterwards, last first. */
  stops: (() => Promise<void>)[];
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
  database: pg.Client;
}

export const quiet = { error: console.error, warn: () => undefined, info: () => undefined };
/** Another one where it is taken: that of a second run of the bench, say. */
const gatewayPort = 3_100;
const secret = () => `1:${randomBytes(32).toString('base64')}`;

export async function openLayout({
  name,
  products,
  env: more,
  entry,
  gateways = 1,
  relaysYield = true,
  say,
  stops,
}: LayoutOptions): Promise<BenchLayout> {
  const dir = path.join(dataDir(), 'bench');
  // A gateway refuses keys of another run's pepper.
  rmSync(path.join(dir, 'postgres'), { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const parts = await startBackingServers(dir, true, say);
  stops.push(() => parts.stop());
  const prefix = `${name}-${Date.now()}.`;
  const env = {
    ...parts.env,
    ...more,
    KEY_PEPPERS: secret(),
    SECRET_KEYS: secret(),
    LOG_LEVEL: 'warn',
    GATEWAY_PORT: String(await freePort(gatewayPort)),
    KAFKA_PREFIX: prefix,
  };
  await createTopics({ brokers: env.KAFKA_BROKERS.split(','), prefix, partitions: 6, replicas: 1, log: quiet });
  const logDir = path.join(dir, 'logs');
  const fleet = await startFleet({ env, logDir, entry, gateways, relaysYield });
  stops.push(() => fleet.stop());
  const fixture = await makeFixture(env.DATABASE_URL, parsePeppers(env.KEY_PEPPERS)[0]!, { small: products, large: 1 });
  const database = new pg.Client({ connectionString: env.DATABASE_URL });
  await database.connect();
  stops.push(() => database.end());
  const services = Object.fromEntries(fleet.members.map((member) => [member.name, member.pid!]));
  const processes = { ...services, ...(parts.pids.postgres && { postgres: parts.pids.postgres }) };
  return { env, logDir, fleet, api: `${fleet.gateways[0]}/api/v1`, store: fixture.small, fixture, processes, database };
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
  const sorted = [...latencies].sort((a, b) => a - b);
  const at = (share: number) => Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1));
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), n: sorted.length };
}
