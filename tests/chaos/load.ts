/** Writers that run during faults; each write carries a unique text, and its outcome is recorded. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Write } from './history.ts';
import { type Random, seededRandom } from './random.ts';

export interface LoadWorld {
  /** Base URLs of the gateways. */
  api: string[];
  keys: string[];
  token: string;
}

export interface Product {
  id: number;
  sku: string;
}

export interface Load {
  writes: Write[];
  /** Writes that were skipped because too many were in flight. */
  skipped: number;
  /** Resolves when the writes in flight have ended. */
  stop(): Promise<void>;
}

/** One write before it is sent. */
interface Plan {
  method: string;
  path: string;
  body: object;
  marks: string[];
  byStaff?: boolean;
  refusable?: boolean;
}

/** Longer than the gateway's own deadlines; after that the client gives up. */
const answerWithinMs = 12_000;
const inFlightMax = 400;
const repeatsMax = 3;
const repeatAfterMs = 700;
const upsertRowsMax = 4;

let writesBegun = 0;

/** Products that the load changes; they are part of its history. */
export async function makeProducts(world: LoadWorld, count: number): Promise<Write> {
  const rows = Array.from({ length: count }, (_, n) => ({ sku: skuOf(n), name: `first ${n}` }));
  const plan = { method: 'POST', path: '/products/bulk_upsert', body: { products: rows }, marks: rows.map(({ name }) => name) };
  return send(world, plan, seededRandom(1));
}

const skuOf = (n: number) => `chaos-${n}`;

/** Starts `rate` writes a second; a slow answer does not delay the others. */
export function startLoad(world: LoadWorld, { seed, rate, products }: { seed: number; rate: number; products: Product[] }): Load {
  const random = seededRandom(seed);
  const underWay = new Set<Promise<void>>();
  const load: Load = { writes: [], skipped: 0, stop: async () => undefined };
  const startedAt = performance.now();
  let begun = 0;
  const timer = setInterval(() => {
    for (const due = ((performance.now() - startedAt) * rate) / 1_000; begun < due; begun++) {
      if (underWay.size >= inFlightMax) {
        load.skipped += 1;
        continue;
      }
      const one: Promise<void> = send(world, planWrite(random, products), random).then((write) => {
        load.writes.push(write);
        underWay.delete(one);
      });
      underWay.add(one);
    }
  }, 10);
  load.stop = async () => {
    clearInterval(timer);
    await Promise.all(underWay);
  };
  return load;
}

function planWrite(random: Random, products: Product[]): Plan {
  const n = ++writesBegun;
  const mark = `w-${n}`;
  const product = random.pick(products);
  const kind = random.next();
  if (kind < 0.1) return { method: 'POST', path: '/products', body: { product: { name: mark, price: '1.00' } }, marks: [mark] };
  if (kind < 0.3) {
    const skus = new Set(Array.from({ length: random.between(1, upsertRowsMax) }, () => random.pick(products).sku));
    const rows = [...skus].map((sku, row) => ({ sku, name: `${mark}-${row}` }));
    return { method: 'POST', path: '/products/bulk_upsert', body: { products: rows }, marks: rows.map(({ name }) => name) };
  }
  if (kind < 0.5)
    return { method: 'PATCH', path: `/products/${product.id}`, body: { product: { name: mark } }, marks: [mark], byStaff: true };
  if (kind < 0.65) return bulkUpdate(n, [...new Set([product, random.pick(products)])]);
  if (kind < 0.95) {
    const body = { product_id: product.id, adjustment_type: 'receive', quantity_change: random.between(1, 9), reason: mark };
    return { method: 'POST', path: '/stock_adjustments', body, marks: [mark] };
  }
  const refused = { product: { name: mark, price: '-1' } };
  return { method: 'POST', path: '/products', body: refused, marks: [mark], refusable: true };
}

/** Price and stock of the same products: catalog commits the price and inventory the stock. */
function bulkUpdate(n: number, products: Product[]): Plan {
  const [price, amount] = [(n / 100 + 10).toFixed(2), (n / 1_000).toFixed(3)];
  const updates = { price: Number(price), stock_adjustment: { type: 'add', amount: Number(amount) } };
  const marks = products.flatMap(({ id }) => [`price ${price} of ${id}`, `change ${amount} of ${id}`]);
  return { method: 'PATCH', path: '/products/bulk_update', body: { product_ids: products.map(({ id }) => id), updates }, marks };
}

async function send(world: LoadWorld, plan: Plan, random: Random): Promise<Write> {
  const id = `chaos-write-${writesBegun}-${random.between(0, 1e9)}`;
  const key = random.pick(world.keys);
  const repeatable = random.next() < 0.5;
  const write: Write = {
    id,
    what: `${plan.method} ${plan.path}`,
    marks: plan.marks,
    refusable: plan.refusable ?? false,
    invokedMs: performance.now(),
    endedMs: 0,
    result: 'info',
    status: 0,
  };
  for (let time = 0; time <= (repeatable ? repeatsMax : 0); time++) {
    if (time > 0) await wait(repeatAfterMs * time);
    const headers = {
      'Content-Type': 'application/json',
      'X-Request-Id': `${id}-${time}`,
      ...(plan.byStaff ? { Authorization: `Bearer ${world.token}` } : { 'X-API-Key': key }),
      ...(repeatable && { 'Idempotency-Key': id }),
    };
    write.status = await statusOf(`${random.pick(world.api)}${plan.path}`, plan, headers);
    write.result = resultOf(write.status, time);
    if (write.result !== 'info') break;
  }
  write.endedMs = performance.now();
  return write;
}

/** 0: the connection failed, or the answer did not arrive in time. */
async function statusOf(url: string, { method, body }: Plan, headers: Record<string, string>): Promise<number> {
  try {
    const response = await fetch(url, { method, headers, body: JSON.stringify(body), signal: AbortSignal.timeout(answerWithinMs) });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    if (!['TypeError', 'TimeoutError'].includes((error as Error).name)) throw error;
    return 0;
  }
}

/** A refused repetition shows nothing about the first request; a 409 means that it is still in flight. */
function resultOf(status: number, time: number): Write['result'] {
  if (status >= 200 && status < 300) return 'ok';
  return status >= 400 && status < 500 && status !== 409 && time === 0 ? 'fail' : 'info';
}
