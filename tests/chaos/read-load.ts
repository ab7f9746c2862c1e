/** Readers that run beside the writers: what integrations and the register ask for most. */
import { setTimeout as wait } from 'node:timers/promises';
import { ask } from './ask.ts';
import type { LoadWorld, Product } from './load.ts';
import { type Random, seededRandom } from './random.ts';

const answerWithinMs = 12_000;

interface ReadOptions {
  seed: number;
  /** Reads per second. */
  rate: number;
  products: Product[];
  /** Reads at the same time; more are skipped. */
  inFlightMax: number;
}

export interface Reads {
  /** Reads that were skipped because too many were in flight. */
  skipped: number;
  /** Resolves when the reads in flight have ended. */
  stop(): Promise<void>;
}

/** Starts `rate` reads a second; a slow answer does not delay the others. */
export function startReads(world: LoadWorld, { seed, rate, products, inFlightMax }: ReadOptions): Reads {
  const random = seededRandom(seed);
  const underWay = new Set<Promise<void>>();
  const stopped = new AbortController();
  const reads: Reads = { skipped: 0, stop: async () => undefined };
  const startedAt = performance.now();
  const running = (async () => {
    for (let begun = 0; !stopped.signal.aborted; await wait(10)) {
      for (const due = ((performance.now() - startedAt) * rate) / 1_000; begun < due; begun++) {
        if (underWay.size >= inFlightMax) {
          reads.skipped += 1;
          continue;
        }
        const one: Promise<void> = read(world, random, products).then(() => void underWay.delete(one));
        underWay.add(one);
      }
    }
  })();
  reads.stop = async () => {
    stopped.abort();
    await running;
    await Promise.all(underWay);
  };
  return reads;
}

async function read(world: LoadWorld, random: Random, products: Product[]): Promise<void> {
  const byStaff = random.next() < 0.3;
  const path = byStaff ? random.pick(staffPaths) : random.pick(keyPaths)(random.pick(products));
  const headers: Record<string, string> = byStaff ? { Authorization: `Bearer ${world.token}` } : { 'X-API-Key': random.pick(world.keys) };
  const { status, lost } = await ask(`${random.pick(world.api)}${path}`, { headers, withinMs: answerWithinMs });
  world.answered?.(`GET ${path}`, status, lost);
}

const keyPaths = [
  ({ id }: Product) => `/products/${id}`,
  ({ sku }: Product) => `/products?search=${sku}`,
  () => '/products?per_page=25&updated_since=2020-01-01T00:00:00Z',
  ({ id }: Product) => `/stock_adjustments?product_id=${id}&per_page=10`,
];
const staffPaths = ['/sales?per_page=10', '/customers?per_page=10', '/purchase_orders?per_page=10'];
