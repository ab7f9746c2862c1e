/**
 * `npm run bench`: the layout of production on this machine, measured beside floors (minimal servers
 * written by hand) in the same run. Figures on a shared machine are noisy: compare the ratios.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { repository } from '../../tools/local/data-dir.ts';
import { benchAttacks } from './attacks.ts';
import { benchEvents } from './events.ts';
import { type BenchOptions, openLayout } from './events-layout.ts';
import { openFloors } from './floors.ts';
import { useEachKey } from './load.ts';
import { type Measured, measure } from './measure.ts';
import { benchPurchasing } from './purchasing.ts';
import { printReport } from './report.ts';
import { benchSales } from './sales.ts';
import { scenarios } from './scenarios.ts';
import { benchStores } from './stores.ts';
import { benchWebhooks } from './webhooks.ts';

const options = new Command('bench')
  .description('Measures the API on one process per app, PostgreSQL, Redis and Kafka, beside floors.')
  .option(
    '--only <word>',
    'requests whose name contains it; or events, webhooks, attacks, purchasing or sales, which run after the requests; or stores, which runs only by this word',
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

const stops: (() => Promise<void>)[] = [];
const say = (line: string) => console.error(line);

async function main(): Promise<void> {
  const { only, seconds, rounds } = options;
  const figures: Record<string, unknown> = { node: process.version, seconds, rounds };
  const connections = options.connections.split(',').map(Number);
  const { sales, sustained, stores, storeProducts: products } = options;
  const how = { seconds, rounds, connections, say, stops };
  const parts: Record<string, () => Promise<unknown>> = {
    events: () => benchEvents({ ...how, seconds: seconds * 2, rows: options.backlog }),
    webhooks: () => benchWebhooks(how),
    attacks: () => benchAttacks({ ...how, word: options.attack }),
    purchasing: () => benchPurchasing(how),
    sales: () => benchSales({ ...how, sales, sustained }),
  };
  // It takes an hour at its full size, so it runs only when it is asked for.
  if (only === 'stores') parts.stores = () => benchStores({ ...how, stores, products });
  const requests: typeof parts = only && Object.hasOwn(parts, only) ? {} : { measured: () => benchRequests(how) };
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

async function benchRequests(how: BenchOptions): Promise<Measured[]> {
  const layout = await openLayout({ name: 'bench', products: 5_000, large: options.products, env: { LOG_LEVEL: 'info' }, say, stops });
  const floors = await openFloors(layout.env, stops);
  const [list, pair] = [await floors.list('floor-products.ts'), await floors.pair()];
  const gateway = Number(new URL(layout.api).port);
  const processes = { ...layout.processes, ...list.processes, ...pair.processes, ...layout.servers };
  const ports = { gateway, 'floor-a': list.port, 'floor-b': pair.port, 'floor-c': pair.port };
  say('Warming up');
  for (const { keys } of [layout.fixture.small, layout.fixture.large, layout.fixture.scratch]) await useEachKey(gateway, keys);
  const targets = scenarios(layout.fixture)
    .filter(({ name }) => !options.only || name.toLowerCase().includes(options.only.toLowerCase()))
    .map(({ target, ...scenario }) => ({ ...scenario, port: ports[target], processes }));
  const measured: Measured[] = [];
  for (const connections of how.connections) measured.push(...(await measure(targets, { ...how, connections })).values());
  printReport(measured);
  return measured;
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
