/** Writers that run during faults; each write carries a unique text, and its outcome is recorded. */
import { setTimeout as wait } from 'node:timers/promises';
import { ask } from './ask.ts';
import type { Write } from './history.ts';
import { type Random, seededRandom } from './random.ts';
import { planRegister, type Regulars } from './register-load.ts';

export interface LoadWorld {
  /** Base URLs of the gateways. */
  api: string[];
  keys: string[];
  token: string;
  /** Told of every answer; 0: there was none, and why. */
  answered?(what: string, status: number, lost?: string): void;
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
export interface Plan {
  method: string;
  path: string;
  body: object;
  marks: string[];
  byStaff?: boolean;
  refusable?: boolean;
  /** What follows once it is acknowledged, by its answer. */
  followUp?: (answer: unknown) => Plan;
}

/** Longer than the gateway's own deadlines; after that the client gives up. */
const answerWithinMs = 12_000;
const inFlightDefault = 400;
const repeatsMax = 3;
const repeatAfterMs = 700;
const upsertRowsMax = 4;
/** Part of the writes that staff make at the register. */
const registerShare = 0.3;
const regularCustomers = 8;
const regularCards = 8;

let writesBegun = 0;

/** Products that the load changes; they are part of its history. */
export async function makeProducts(world: LoadWorld, count: number): Promise<Write> {
  const rows = Array.from({ length: count }, (_, n) => ({ sku: skuOf(n), name: `first ${n}` }));
  const plan = { method: 'POST', path: '/products/bulk_upsert', body: { products: rows }, marks: rows.map(({ name }) => name) };
  return (await send(world, plan, seededRandom(1))).write;
}

/** Customers with store credit, and gift cards: more than a run can spend. */
export async function makeRegulars({ api, token }: LoadWorld): Promise<Regulars> {
  const made = async <T>(path: string, body: object): Promise<T> => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    const response = await fetch(`${api[0]}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const customers: number[] = [];
  for (let n = 0; n < regularCustomers; n++) {
    const { customer } = await made<{ customer: { id: number } }>('/customers', { customer: { name: `Regular ${n}` } });
    await made(`/customers/${customer.id}/store_credit`, { store_credit: { amount: '100000', transaction_type: 'issue' } });
    customers.push(customer.id);
  }
  const cards = Array.from({ length: regularCards }, (_, n) => `CHAOS-${n}`);
  for (const card_number of cards) await made('/gift_cards', { gift_card: { card_number, amount: '100000' } });
  return { customers, cards };
}

const skuOf = (n: number) => `chaos-${n}`;

interface LoadOptions {
  seed: number;
  /** Writes per second, with those that follow from others. */
  rate: number;
  products: Product[];
  regulars: Regulars;
  /** Writes at the same time; more are skipped. */
  inFlightMax?: number;
}

/** Starts `rate` writes a second; a slow answer does not delay the others. */
export function startLoad(world: LoadWorld, { seed, rate, products, regulars, inFlightMax = inFlightDefault }: LoadOptions): Load {
  const random = seededRandom(seed);
  const underWay = new Set<Promise<void>>();
  const load: Load = { writes: [], skipped: 0, stop: async () => undefined };
  const startedAt = performance.now();
  let begun = 0;
  const followed = () => {
    begun += 1;
  };
  const timer = setInterval(() => {
    for (const due = ((performance.now() - startedAt) * rate) / 1_000; begun < due; begun++) {
      if (underWay.size >= inFlightMax) {
        load.skipped += 1;
        continue;
      }
      const plan = planWrite(random, products, regulars);
      const one: Promise<void> = sendAll(world, plan, random, load.writes, followed).then(() => {
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

/** A write and what follows it; `followed` is called before each that does. */
async function sendAll(world: LoadWorld, plan: Plan, random: Random, writes: Write[], followed: () => void): Promise<void> {
  const { write, answer } = await send(world, plan, random);
  writes.push(write);
  if (!plan.followUp || write.result !== 'ok') return;
  followed();
  await sendAll(world, plan.followUp(answer), random, writes, followed);
}

function planWrite(random: Random, products: Product[], regulars: Regulars): Plan {
  const n = ++writesBegun;
  const mark = `w-${n}`;
  if (random.next() < registerShare) return planRegister(random, mark, products, regulars);
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

async function send(world: LoadWorld, plan: Plan, random: Random): Promise<{ write: Write; answer: unknown }> {
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
  let answer: unknown;
  for (let time = 0; time <= (repeatable ? repeatsMax : 0); time++) {
    if (time > 0) await wait(repeatAfterMs * time);
    const headers = {
      'Content-Type': 'application/json',
      'X-Request-Id': `${id}-${time}`,
      ...(plan.byStaff ? { Authorization: `Bearer ${world.token}` } : { 'X-API-Key': key }),
      ...(repeatable && { 'Idempotency-Key': id }),
    };
    const url = `${random.pick(world.api)}${plan.path}`;
    const answered = await ask(url, { method: plan.method, headers, body: JSON.stringify(plan.body), withinMs: answerWithinMs });
    write.status = answered.status;
    world.answered?.(write.what, answered.status, answered.lost);
    answer = answered.text === '' ? undefined : JSON.parse(answered.text);
    write.result = resultOf(write.status, time);
    if (write.result !== 'info') break;
  }
  write.endedMs = performance.now();
  return { write, answer };
}

/** A refused repetition shows nothing about the first request; a 409 means that it is still in flight. */
function resultOf(status: number, time: number): Write['result'] {
  if (status >= 200 && status < 300) return 'ok';
  return status >= 400 && status < 500 && status !== 409 && time === 0 ? 'fail' : 'info';
}
