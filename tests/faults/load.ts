/** Writers and readers that run during a fault, and the outcome of each of their requests. */
import type { FleetWorld } from '../kit/fleet-world.ts';
import { type Answer, send } from '../kit/http.ts';
import { percentile as percentileOf, startClients } from '../kit/load.ts';
import { stopAfterTest } from '../kit/use.ts';

export interface Done extends Pick<Answer, 'status' | 'body' | 'ms' | 'lost'> {
  /** Monotonic time of the start. */
  atMs: number;
}

export interface Write extends Done {
  /** Unique text that the change carries: a product's name or an adjustment's reason. */
  mark: string;
  path: string;
  request: object;
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
const readsDefault = ['/products?per_page=5', '/stock_adjustments?per_page=5'];

let loads = 0;

/** Starts the clients; each has its own warm key, so that it meets no limit. They are stopped after the test. */
export async function startLoad(world: FleetWorld, options: LoadOptions = {}): Promise<Load> {
  const { writers = 10, readers = 10, pace = 10, api = world.api, reads = readsDefault, only } = options;
  const keys = await Promise.all(Array.from({ length: writers + readers }, () => world.newKey()));
  await Promise.all(keys.flatMap(({ key }) => world.api.map((url) => send('GET', `${url}/key`, { key }))));
  const products = await makeProducts(world, keys[0]!.key, stockedProducts);
  const number = ++loads;
  const apiOf = (client: number) => api[client % api.length];
  const load: Load = { writes: [], reads: [], products, keys, stop: async () => undefined };
  const write = async (client: number, n: number) => {
    const { key } = keys[client]!;
    const mark = `w-${number}-${client}-${n}`;
    const ofProduct = only ? only === 'products' : n % 2 === 0;
    const path = ofProduct ? '/products' : '/stock_adjustments';
    const request = ofProduct
      ? { product: { name: mark, price: '1.00' } }
      : { product_id: products[n % products.length], adjustment_type: 'receive', quantity_change: 1, reason: mark };
    const atMs = performance.now();
    const done = await send('POST', `${apiOf(client)}${path}`, { key, body: request, idempotencyKey: mark });
    load.writes.push({ ...done, atMs, mark, path, request, key });
  };
  const read = async (client: number, n: number) => {
    const atMs = performance.now();
    const done = await send('GET', `${apiOf(client)}${reads[n % reads.length]}`, { key: keys[writers + client]!.key });
    load.reads.push({ ...done, atMs });
  };
  const clients = [startClients(writers, 1_000 / pace, write), startClients(readers, 1_000 / pace, read)];
  load.stop = async () => void (await Promise.all(clients.map((some) => some.stop())));
  return stopAfterTest(load);
}

/** Ids of new products. */
export async function makeProducts(
  world: FleetWorld,
  key: string,
  count: number,
  nameOf = (n: number) => `Stocked ${n}`,
): Promise<number[]> {
  const make = async (_: unknown, n: number) =>
    (await world.call('POST', '/products', { key, body: { product: { name: nameOf(n) } } })).body.data.id;
  return Promise.all(Array.from({ length: count }, make));
}

/** Requests that started within an interval. */
export function between<T extends Done>(requests: T[], fromMs: number, toMs: number): T[] {
  return requests.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
}

/** The latency below which this share of the requests stayed. */
export function percentile(requests: Done[], share: number): number {
  return percentileOf(
    requests.map(({ ms }) => ms),
    share,
  );
}

export function statuses(requests: Pick<Done, 'status'>[]): Record<number, number> {
  const counted: Record<number, number> = {};
  for (const { status } of requests) counted[status] = (counted[status] ?? 0) + 1;
  return counted;
}

/** What a long run shows with FAULT_REPORT. */
export function report(...shown: unknown[]): void {
  if (process.env.FAULT_REPORT) console.error(...shown);
}

/** Of these loads no request failed. */
export const statusesOfAll = (...loads: Load[]): string[] =>
  Object.keys(statuses(loads.flatMap(({ reads, writes }) => [...reads, ...writes]))).sort();
