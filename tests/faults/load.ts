/** Writers and readers that run during a fault, and the outcome of each of their requests. */
import { type Asked, ask, type FleetWorld } from './fleet-world.ts';

export interface Done extends Asked {
  /** Monotonic time of the start. */
  atMs: number;
}

export interface Write extends Done {
  /** Unique text that the change carries: a product's name or an adjustment's reason. */
  mark: string;
  path: string;
  request: string;
  key: string;
}

export interface LoadOptions {
  writers?: number;
  readers?: number;
  /** Requests per second of each client. */
  pace?: number;
  /** Which writes; absent: both in turn. */
  only?: 'products' | 'adjustments';
  /** The paths that readers request, in turn. */
  reads?: string[];
  /** The APIs that clients use, in turn; absent: all of the world's. */
  api?: string[];
}

export interface Load {
  writes: Write[];
  reads: Done[];
  /** Products that the adjustments change. */
  products: number[];
  keys: { id: number; key: string }[];
  /** Resolves when the requests in flight have ended. */
  stop(): Promise<void>;
}

const stockedProducts = 5;

let loads = 0;
const running = new Set<Load>();

/** Stops clients that a failed test left running. */
export async function stopLoads(): Promise<void> {
  for (const load of running) await load.stop();
}

/** Starts the clients; each has its own warm key, so that it meets no limit. */
export async function startLoad(world: FleetWorld, options: LoadOptions = {}): Promise<Load> {
  const {
    writers = 10,
    readers = 10,
    pace = 10,
    api = world.api,
    reads = ['/products?per_page=5', '/stock_adjustments?per_page=5'],
  } = options;
  const keys = await Promise.all(Array.from({ length: writers + readers }, () => world.newKey()));
  await Promise.all(keys.flatMap(({ key }) => world.api.map((url) => ask(`${url}/key`, { key }))));
  const products = await stockProducts(world, keys[0]!.key);
  const run = { on: true };
  const number = ++loads;
  const load: Load = { writes: [], reads: [], products, keys, stop: async () => undefined };
  const write = async (client: number, n: number) => {
    const { key } = keys[client]!;
    const mark = `w-${number}-${client}-${n}`;
    const ofProduct = options.only ? options.only === 'products' : n % 2 === 0;
    const path = ofProduct ? '/products' : '/stock_adjustments';
    const request = ofProduct
      ? JSON.stringify({ product: { name: mark, price: '1.00' } })
      : JSON.stringify({ product_id: products[n % products.length], adjustment_type: 'receive', quantity_change: 1, reason: mark });
    const atMs = performance.now();
    const asked = await ask(`${api[client % api.length]}${path}`, { method: 'POST', key, body: request, idempotencyKey: mark });
    load.writes.push({ ...asked, atMs, mark, path, request, key });
  };
  const read = async (client: number, n: number) => {
    const atMs = performance.now();
    const { key } = keys[writers + client]!;
    load.reads.push({ ...(await ask(`${api[client % api.length]}${reads[n % reads.length]}`, { key })), atMs });
  };
  const clients = [
    ...Array.from({ length: writers }, (_, client) => loop(run, pace, client, (n) => write(client, n))),
    ...Array.from({ length: readers }, (_, client) => loop(run, pace, client, (n) => read(client, n))),
  ];
  running.add(load);
  load.stop = async () => {
    run.on = false;
    running.delete(load);
    await Promise.all(clients);
  };
  return load;
}

async function stockProducts(world: FleetWorld, key: string): Promise<number[]> {
  return Promise.all(
    Array.from({ length: stockedProducts }, async (_, n) => {
      const made = await ask(`${world.api[0]}/products`, {
        method: 'POST',
        key,
        body: JSON.stringify({ product: { name: `Stocked ${n}` } }),
      });
      return (made.body as { data: { id: number } }).data.id;
    }),
  );
}

/** Keeps its pace; a late request is followed at once by the next one, but never by a burst. */
async function loop(run: { on: boolean }, pace: number, client: number, request: (n: number) => Promise<void>): Promise<void> {
  const everyMs = 1_000 / pace;
  await pause((client * 37) % everyMs);
  for (let n = 0; run.on; n++) {
    const startedAt = performance.now();
    await request(n);
    await pause(Math.max(0, everyMs - (performance.now() - startedAt)));
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Requests that started within an interval. */
export function between<T extends Done>(requests: T[], fromMs: number, toMs: number): T[] {
  return requests.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
}

/** The latency below which this share of the requests stayed. */
export function percentile(requests: Done[], share: number): number {
  const sorted = requests.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function statuses(requests: Done[]): Record<number, number> {
  const counted: Record<number, number> = {};
  for (const { status } of requests) counted[status] = (counted[status] ?? 0) + 1;
  return counted;
}
