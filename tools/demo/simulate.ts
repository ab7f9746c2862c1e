/**
 * `npm run simulate -- --rate 2`: a shop day on the running demo store until Ctrl-C. It sells, parks, completes, voids, adjusts
 * stock and receives orders through the API, so that a subscriber sees webhooks arrive.
 */
import { randomInt } from 'node:crypto';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import { dataDir, readJson } from '../local/data-dir.ts';
import { keyClient, staffClient } from './client.ts';
import type { DemoFile } from './demo-store.ts';
import { openShop, type Shop } from './shop-day.ts';
import { productsBySku } from './upkeep.ts';

interface Options {
  rate: number;
  seconds?: number;
  seed: number;
}

await new Command('npm run simulate --')
  .description('Sells, voids, receives and adjusts on the running demo store until Ctrl-C.')
  .option('--rate <n>', 'actions per second, 0.1 to 50', rate, 2)
  .option('--seconds <n>', 'end after so many seconds', rate)
  .option('--seed <n>', 'decides what is done; a random one when absent', Number, randomInt(2 ** 31))
  .showHelpAfterError('(--help shows what there is)')
  .action(simulate)
  .parseAsync();

async function simulate({ rate: perSecond, seconds, seed }: Options): Promise<void> {
  const demo = readJson<DemoFile>(path.join(dataDir(), 'demo.json'));
  if (!demo) {
    console.error('There is no demo store yet: run npm start first, and leave it running.');
    process.exitCode = 1;
    return;
  }
  const stopped = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopped.abort());
  const shop = await opened(demo);
  if (!shop) return;
  const endsAt = seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + seconds * 1_000;
  console.log(`${perSecond} actions per second on ${demo.base_url}; seed ${seed}. Ctrl-C ends it.`);
  const day = openShop(shop, seed);
  while (!stopped.signal.aborted && performance.now() < endsAt) {
    const startedAt = performance.now();
    console.log(await day.act());
    const rest = 1_000 / perSecond - (performance.now() - startedAt);
    if (rest > 0) await wait(rest, undefined, { signal: stopped.signal }).catch((error: Error) => ended(error));
  }
  console.log(`\n${day.summary()}`);
}

async function opened({ base_url, api_key, staff: login }: DemoFile): Promise<Shop | undefined> {
  try {
    const [staff, key] = [await staffClient(base_url, login), keyClient(base_url, api_key)];
    const products = [...(await productsBySku(key)).values()].filter(({ variations = [] }) => variations.length === 0);
    const { customers } = await staff.get<{ customers: { id: number }[] }>('/customers?per_page=100');
    return { staff, key, products, customerIds: customers.map(({ id }) => id) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    console.error(`Nothing answers at ${base_url}: run npm start, and leave it running.`);
    process.exitCode = 1;
    return undefined;
  }
}

function ended(error: Error): void {
  if (error.name !== 'AbortError') throw error;
}

function rate(text: string): number {
  const value = Number(text);
  if (!(value >= 0.1)) throw new InvalidArgumentError('a number of at least 0.1');
  return value;
}
