/**
 * `npm run bench`: the layout of production on this machine, measured beside floors (minimal servers
 * written by hand) in the same run. Figures on a shared machine are noisy: compare the ratios.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parsePeppers } from '@store/gateway/key-text';
import { Command } from 'commander';
import pg from 'pg';
import { startBackingServers } from '../../tools/local/backing-servers.ts';
import { dataDir, repository } from '../../tools/local/data-dir.ts';
import { startFleet } from '../../tools/local/fleet.ts';
import { benchAttacks } from './attacks.ts';
import { type Calls, callsPerRequest, openCallCounter } from './call-counts.ts';
import { cpuMs, difference } from './cpu.ts';
import { benchEvents } from './events.ts';
import { makeFixture } from './fixture.ts';
import { startFloors } from './floors.ts';
import { load, type Measured, useEachKey } from './load.ts';
import { benchPurchasing } from './purchasing.ts';
import { printReport } from './report.ts';
import { benchSales } from './sales.ts';
import { type Scenario, scenarios } from './scenarios.ts';
import { benchStores } from './stores.ts';
import { benchTraces } from './traces.ts';
import { benchWebhooks } from './webhooks.ts';

const options = new Command('bench')
  .description('Measures the API on one process per app, PostgreSQL, Redis and Kafka, beside floors.')
  .option(
    '--only <word>',
    'requests whose name contains it; or events, webhooks, attacks, purchasing, sales or traces, which run after the requests; or stores, which runs only by this word',
  )
  .option('--attack <word>', 'of the attacks, those whose name contains it')
  .option('--seconds <n>', 'seconds per measurement', Number, 3)
  .option('--rounds <n>', 'rounds; the median of each figure is kept', Number, 5)
  .option('--connections <list>', 'connections, comma-separated', '16,1')
  .option('--products <n>', 'products of the large store', Number, 100_000)
  .option('--backlog <n>', 'rows of the backlog that events measures', Number, 200_000)
  .option('--sales <n>', 'sales of the large store that sales measures', Number, 1_000_000)
  .option('--sustained <n>', 'seconds of steady selling in sales', Number, 60)
  .option('--stores <n>', 'stores of the installation that stores measures', Number, 100_000)
  .option('--store-products <n>', 'products of each of them', Number, 50)
  .option('--out <file>', 'where the figures go as JSON', path.join(repository, '.data/bench.json'))
  .parse()
  .opts<{
    only?: string;
    attack?: string;
    seconds: number;
    rounds: number;
    connections: string;
    products: number;
    backlog: number;
    sales: number;
    sustained: number;
    stores: number;
    storeProducts: number;
    out: string;
  }>();

const secret = () => `1:${randomBytes(32).toString('base64')}`;
const stops: (() => Promise<void>)[] = [];
const say = (line: string) => console.error(line);

async function main(): Promise<void> {
  const { only, seconds, rounds } = options;
  const figures: Record<string, unknown> = { node: process.version, seconds, rounds };
  const connections = options.connections.split(',').map(Number);
  const { sales, sustained } = options;
  const parts: Record<string, () => Promise<unknown>> = {
    events: () => benchEvents({ seconds: seconds * 2, rows: options.backlog, say, stops }),
    webhooks: () => benchWebhooks({ seconds, rounds, say, stops }),
    attacks: () => benchAttacks({ word: options.attack, seconds, rounds, say, stops }),
    purchasing: () => benchPurchasing({ seconds, rounds, connections, say, stops }),
    traces: () => benchTraces({ seconds, rounds, say, stops }),
    sales: () => benchSales({ seconds, rounds, connections, sales, sustained, say, stops }),
  };
  // It takes an hour at its full size, so it runs only when it is asked for.
  const { stores, storeProducts: products } = options;
  if (only === 'stores') parts.stores = () => benchStores({ stores, products, seconds, rounds, say, stops });
  const requests: typeof parts = only && Object.hasOwn(parts, only) ? {} : { measured: benchRequests };
  const chosen = Object.entries(parts).filter(([name]) => !only || only === name);
  for (const [name, part] of [...Object.entries(requests), ...chosen]) {
    const startedAt = performance.now();
    figures[name] = await part();
    await stopAll();
    say(`${name} took ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  }
  mkdirSync(path.dirname(options.out), { recursive: true });
  writeFileSync(options.out, `${JSON.stringify(figures, null, 2)}\n`);
  say(`\nThe figures are in ${options.out}`);
}

async function benchRequests(): Promise<Measured[]> {
  const dir = path.join(dataDir(), 'bench');
  // A gateway refuses keys of another run's pepper.
  rmSync(path.join(dir, 'postgres'), { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  say('Starting PostgreSQL, Redis and Kafka');
  const parts = await startBackingServers(dir, true, say);
  stops.push(() => parts.stop());
  const counter = openCallCounter(path.join(dir, 'calls'));
  const env = { ...parts.env, ...counter.env, KEY_PEPPERS: secret(), SECRET_KEYS: secret(), LOG_LEVEL: 'info', GATEWAY_PORT: '3100' };

  const fleet = await startFleet({ env, relaysYield: true, logDir: path.join(dir, 'logs') });
  stops.push(() => fleet.stop());
  say(`Making stores of 5,000 and ${options.products.toLocaleString('en')} products`);
  const fixture = await makeFixture(parts.env.DATABASE_URL, parsePeppers(env.KEY_PEPPERS)[0]!, { small: 5_000, large: options.products });
  const floors = await startFloors(env);
  stops.push(() => floors.stop());

  const targets = {
    gateway: Number(new URL(fleet.gateways[0]!).port),
    'floor-a': floors.a.port,
    'floor-b': floors.b.port,
    'floor-c': floors.c.port,
  };
  const processes: Record<string, number> = {
    ...Object.fromEntries(fleet.members.map((member) => [member.name, member.pid!])),
    'floor A': floors.a.pid,
    'floor B front': floors.b.pid,
    'floor B back': floors.back.pid,
    'floor C front': floors.c.pid,
    'floor C back': floors.cBack.pid,
    ...(parts.pids.postgres && { postgres: parts.pids.postgres }),
    ...(parts.pids.redis && { redis: parts.pids.redis }),
    ...(parts.pids.kafka && { kafka: parts.pids.kafka }),
  };
  say('Warming up');
  const counted = Object.entries(processes).flatMap(([name, pid]) => (Object.hasOwn(parts.pids, name) ? [] : [pid]));
  for (const { keys } of [fixture.small, fixture.large, fixture.scratch]) await useEachKey(targets.gateway, keys);
  const wanted = scenarios(fixture).filter(({ name }) => !options.only || name.toLowerCase().includes(options.only.toLowerCase()));
  const database = new pg.Client({ connectionString: parts.env.DATABASE_URL });
  await database.connect();
  stops.push(() => database.end());
  const measured = await measure(wanted, targets, processes, () => counter.read(counted, database));
  printReport(measured);
  return measured;
}

/** Each round runs all scenarios in turn, so that a slow minute of the machine affects all of them. */
async function measure(
  wanted: Scenario[],
  targets: Record<Scenario['target'], number>,
  processes: Record<string, number>,
  calls: () => Promise<Calls>,
): Promise<Measured[]> {
  const runs = new Map<string, Measured[]>();
  for (const connections of options.connections.split(',').map(Number)) {
    for (let round = 1; round <= options.rounds; round++) {
      for (const scenario of wanted) {
        say(`round ${round}, ${connections} connections: ${scenario.name}`);
        const callsBefore = await calls();
        const before = cpuMs(processes);
        const result = await load({
          host: '127.0.0.1',
          port: targets[scenario.target],
          connections,
          seconds: options.seconds,
          request: shifted(scenario),
        });
        const used = difference(before, cpuMs(processes));
        const perRequest = callsPerRequest(callsBefore, await calls(), result.requests);
        const cpu = Object.fromEntries(Object.entries(used).map(([name, ms]) => [name, ms / result.requests]));
        const unexpected = Object.entries(result.statuses).reduce(
          (sum, [status, n]) => sum + (scenario.expect.includes(status) ? 0 : n),
          0,
        );
        if (unexpected > 0) say(`${unexpected} answers were not ${scenario.expect.join(' or ')}: ${JSON.stringify(result.statuses)}`);
        const key = `${scenario.name}@${connections}`;
        const cpuTotal = Object.values(cpu).reduce((sum, ms) => sum + ms, 0);
        runs.set(key, [
          ...(runs.get(key) ?? []),
          { scenario: scenario.name, connections, ...result, cpu, cpuTotal, calls: perRequest, unexpected, rows: scenario.rows },
        ]);
      }
    }
  }
  return [...runs.values()].map((repeated) => repeated.sort((a, b) => a.perSecond - b.perSecond)[Math.floor(repeated.length / 2)]!);
}

const sentSoFar = new Map<string, number>();

/** Continues where the last run of the scenario ended, so that no sku is created twice. */
function shifted(scenario: Scenario): (n: number) => Buffer {
  const start = sentSoFar.get(scenario.name) ?? 0;
  return (n) => {
    sentSoFar.set(scenario.name, start + n + 1);
    return scenario.request(start + n);
  };
}

async function stopAll(): Promise<void> {
  for (const stop of stops.splice(0).reverse()) await stop();
}

// The fleet's processes have their own process groups: an interrupt of this process does not reach them.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stopAll().finally(() => process.exit(130)));

try {
  await main();
} finally {
  await stopAll();
}
