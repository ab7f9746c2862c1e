/** Readers that run beside the writers: what integrations and the register ask for most. */
import { setTimeout as wait } from 'node:timers/promises';
import type { LoadWorld, Product } from './load.ts';
import { type Random, seededRandom } from './random.ts';

const answerWithinMs = 12_000;
const inFlightMax = 200;

interface ReadOptions {
  seed: number;
  /** Reads per second. */
  rate: number;
  products: Product[];
}

/** Starts `rate` reads a second; resolves from the function that it returns when those in flight have ended. */
export function startReads(world: LoadWorld, { seed, rate, products }: ReadOptions): () => Promise<void> {
  const random = seededRandom(seed);
  const underWay = new Set<Promise<void>>();
  const stopped = new AbortController();
  const startedAt = performance.now();
  const running = (async () => {
    for (let begun = 0; !stopped.signal.aborted; await wait(10)) {
      for (const due = ((performance.now() - startedAt) * rate) / 1_000; begun < due; begun++) {
        if (underWay.size >= inFlightMax) continue;
        const one: Promise<void> = read(world, random, products).then(() => void underWay.delete(one));
        underWay.add(one);
      }
    }
  })();
  return async () => {
    stopped.abort();
    await running;
    await Promise.all(underWay);
  };
}

async function read(world: LoadWorld, random: Random, products: Product[]): Promise<void> {
  const byStaff = random.next() < 0.3;
  const path = byStaff ? random.pick(staffPaths) : random.pick(keyPaths)(random.pick(products));
  const headers: Record<string, string> = byStaff ? { Authorization: `Bearer ${world.token}` } : { 'X-API-Key': random.pick(world.keys) };
  world.answered?.(`GET ${path}`, await statusOf(`${random.pick(world.api)}${path}`, headers));
}

const keyPaths = [
  ({ id }: Product) => `/products/${id}`,
  ({ sku }: Product) => `/products?search=${sku}`,
  () => '/products?per_page=25&updated_since=2020-01-01T00:00:00Z',
  ({ id }: Product) => `/stock_adjustments?product_id=${id}&per_page=10`,
];
const staffPaths = ['/sales?per_page=10', '/customers?per_page=10', '/purchase_orders?per_page=10'];

/** 0: the connection failed, or the answer did not arrive in time. */
async function statusOf(url: string, headers: Record<string, string>): Promise<number> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(answerWithinMs) });
    await response.json();
    return response.status;
  } catch (error) {
    // A body that breaks off is a lost connection too.
    if (!['TypeError', 'TimeoutError', 'SyntaxError'].includes((error as Error).name)) throw error;
    return 0;
  }
}
