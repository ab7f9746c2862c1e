/**
 * `npm run bench -- --only traces`: what tracing costs. Two installations on the same servers, one that does not trace and one that
 * traces 1 % of its requests, get the same requests in turn; the cpu time of a request is compared pair by pair.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createTopics } from '@store/events';
import { parsePeppers } from '@store/gateway/key-text';
import { openClient } from '@store/testbed/with-client';
import { startFleet } from '../../tools/local/fleet.ts';
import { freePort } from '../../tools/local/free-port.ts';
import { median as medianOf } from '../kit/load.ts';
import { isOutboxEmpty } from '../kit/outbox-rows.ts';
import { until } from '../kit/until.ts';
import { cpuMs, usedMs } from '../kit/usage.ts';
import { type BenchLayout, type BenchOptions, openLayout, openNotes, quiet } from './events-layout.ts';
import { makeFixture } from './fixture.ts';
import { load, useEachKey } from './load.ts';
import { type Scenario, scenarios } from './scenarios.ts';

/** One of the two installations, with where each scenario's next request begins. */
type Side = Pick<BenchLayout, 'fixture' | 'database' | 'processes'> & { port: number; sent: Map<string, number> };

const names = ['list of 25 of 5,000', 'POST /products'];
const connections = 16;
const products = 5_000;
const sampled = '0.01';

export async function benchTraces({ seconds, rounds, say, stops }: BenchOptions): Promise<Record<string, unknown>> {
  const layout = await openLayout({ name: 'traces-off', products, say, stops });
  const off: Side = { ...layout, port: portOf(layout.api), sent: new Map() };
  const collector = await openCollector(stops);
  const on = await openTraced(layout, collector.url, stops);
  const { figures, note } = openNotes();
  say('Warming up');
  for (const side of [off, on]) {
    for (const { keys } of [side.fixture.small, side.fixture.scratch]) await useEachKey(side.port, keys);
    for (const name of names) await cpuPerRequest(side, name, seconds);
  }
  for (const name of names) {
    const pairs: { off: number; on: number }[] = [];
    for (let round = 1; round <= rounds; round++) {
      say(`round ${round}: ${name}`);
      // The order changes, so that what one run leaves behind does not burden the same side each time.
      const order = round % 2 ? (['off', 'on'] as const) : (['on', 'off'] as const);
      const pair = { off: 0, on: 0 };
      for (const which of order) pair[which] = await cpuPerRequest(which === 'on' ? on : off, name, seconds);
      pairs.push(pair);
    }
    const ratios = pairs.map((pair) => pair.on / pair.off).sort((a, b) => a - b);
    note(`${name}: cpu ms of a request`, {
      off: median(pairs.map((pair) => pair.off)),
      on: median(pairs.map((pair) => pair.on)),
      ratio: { min: rounded(ratios[0]!), median: median(ratios), max: rounded(ratios.at(-1)!) },
    });
  }
  note('batches of spans that the collector got', { batches: collector.batches() });
  return figures;
}

/** The second installation: a database, topics and processes of its own on the same servers. */
async function openTraced({ env, database }: BenchLayout, endpoint: string, stops: BenchOptions['stops']): Promise<Side> {
  const name = `traced_${Date.now()}`;
  await database.query(`create database ${name}`);
  const url = new URL(env.DATABASE_URL!);
  url.pathname = `/${name}`;
  const prefix = `${name}.`;
  await createTopics({ brokers: env.KAFKA_BROKERS!.split(','), prefix, partitions: 6, replicas: 1, log: quiet });
  const own = {
    ...env,
    DATABASE_URL: url.href,
    REDIS_URL: `${env.REDIS_URL}/1`,
    KAFKA_PREFIX: prefix,
    GATEWAY_PORT: String(await freePort(3_200)),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint,
    OTEL_TRACES_SAMPLER_ARG: sampled,
    OTEL_TRACES_SAMPLER_KEY: 'key of the measured traces',
  };
  const logDir = path.join(import.meta.dirname, '../../.data/bench/logs-traced');
  const fleet = await startFleet({ env: own, logDir, relaysYield: true, firstPort: 52_000 });
  stops.push(() => fleet.stop());
  const fixture = await makeFixture(url.href, parsePeppers(env.KEY_PEPPERS!)[0]!, { small: products, large: 1 });
  const client = await openClient(url.href);
  stops.push(() => client.end());
  const processes = Object.fromEntries(fleet.members.map((member) => [member.name, member.pid!]));
  return { fixture, database: client, processes, port: portOf(fleet.gateways[0]!), sent: new Map() };
}

const portOf = (url: string) => Number(new URL(url).port);

/** Of every process of the product, until all events of the run are published. PostgreSQL is not traced. */
async function cpuPerRequest({ fixture, database, processes, port, sent }: Side, name: string, seconds: number): Promise<number> {
  const { request, expect } = scenarios(fixture).find((scenario) => scenario.name === name) as Scenario;
  const start = sent.get(name) ?? 0;
  const { postgres: _, ...traced } = processes;
  const before = cpuMs(traced);
  const result = await load({ host: '127.0.0.1', port, connections, seconds, request: (n) => request(start + n) });
  sent.set(name, start + result.requests + connections);
  const wrong = Object.entries(result.statuses).filter(([status]) => !expect.includes(status));
  if (wrong.length > 0) throw new Error(`${name}: answers that were not ${expect.join(' or ')}: ${JSON.stringify(result.statuses)}`);
  await until(() => isOutboxEmpty(database), 600_000);
  const used = usedMs(before, traced);
  return used / result.requests;
}

async function openCollector(stops: BenchOptions['stops']): Promise<{ url: string; batches(): number }> {
  let batches = 0;
  const server = createServer((request, response) => {
    batches += 1;
    request.resume().on('end', () => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stops.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`, batches: () => batches };
}

const rounded = (value: number) => Number(value.toFixed(3));
const median = (values: number[]) => rounded(medianOf(values));
