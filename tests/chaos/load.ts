/** Writers that run during faults; each write carries a unique text, and its outcome is recorded. */
import { type Random, seededRandom } from '../../tools/local/random.ts';
import type { FleetWorld } from '../kit/fleet-world.ts';
import { succeed } from '../kit/http.ts';
import { type Paced, startPaced } from '../kit/load.ts';
import type { Write } from './history.ts';
import { planRegister, type Regulars } from './register-load.ts';
import { sendAgain } from './repeat.ts';

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

const inFlightDefault = 400;
const repeatsMax = 3;
const afterMs = 1_400;
const upsertRowsMax = 4;
/** Part of the writes that staff make at the register. */
const registerShare = 0.3;
const regularCustomers = 8;
const regularCards = 8;

let writesBegun = 0;

/** Products that the load changes; they are part of its history. */
async function makeProducts(world: LoadWorld, count: number): Promise<Write> {
  const rows = Array.from({ length: count }, (_, n) => ({ sku: `chaos-${n}`, name: `first ${n}` }));
  const plan = { method: 'POST', path: '/products/bulk_upsert', body: { products: rows }, marks: rows.map(({ name }) => name) };
  return (await sendPlan(world, plan, seededRandom(1))).write;
}

async function productsOf({ database, storeId }: FleetWorld): Promise<Product[]> {
  const text = "select id::int, sku from catalog.products where store_id = $1 and sku like 'chaos-%' order by id";
  return (await database.query<Product>(text, [storeId])).rows;
}

/** Customers with store credit, and gift cards: more than a run can spend. */
async function makeRegulars({ api, token }: LoadWorld): Promise<Regulars> {
  const create = (path: string, body: object) => succeed('POST', `${api[0]}${path}`, { token, body });
  const customers: number[] = [];
  for (let n = 0; n < regularCustomers; n++) {
    const { customer } = await create('/customers', { customer: { name: `Regular ${n}` } });
    await create(`/customers/${customer.id}/store_credit`, { store_credit: { amount: '100000', transaction_type: 'issue' } });
    customers.push(customer.id);
  }
  const cards = Array.from({ length: regularCards }, (_, n) => `CHAOS-${n}`);
  for (const card_number of cards) await create('/gift_cards', { gift_card: { card_number, amount: '100000' } });
  return { customers, cards };
}

interface LoadOptions {
  seed: number;
  /** Writes per second, with those that follow from others. */
  rate: number;
  /** How many products are made for it. */
  products: number;
  /** Writes at the same time; more are skipped. */
  inFlightMax?: number;
}

/** Makes what the load changes, and starts `rate` writes a second; a slow answer does not delay the others. */
export async function startLoad(
  { load: world, fleet }: { load: LoadWorld; fleet: FleetWorld },
  { seed, rate, products: count, inFlightMax = inFlightDefault }: LoadOptions,
): Promise<Paced & { writes: Write[]; products: Product[] }> {
  const random = seededRandom(seed);
  const writes = [await makeProducts(world, count)];
  const products = await productsOf(fleet);
  const regulars = await makeRegulars(world);
  const paced = startPaced({ perSecond: rate, inFlightMax }, () =>
    sendAll(world, planWrite(random, products, regulars), random, writes, paced.another),
  );
  return Object.assign(paced, { writes, products });
}

/** A write and what follows it; `followed` is called before each that does. */
async function sendAll(world: LoadWorld, plan: Plan, random: Random, writes: Write[], followed: () => void): Promise<void> {
  const { write, answer } = await sendPlan(world, plan, random);
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

async function sendPlan(world: LoadWorld, plan: Plan, random: Random): Promise<{ write: Write; answer: unknown }> {
  const id = `chaos-write-${writesBegun}-${random.between(0, 1e9)}`;
  const isRepeatable = random.next() < 0.5;
  const { method, path, body, marks, refusable = false } = plan;
  const what = `${method} ${path}`;
  const write: Write = { id, what, marks, refusable, invokedMs: performance.now(), endedMs: 0, result: 'info', status: 0 };
  const as = plan.byStaff ? { token: world.token } : { key: random.pick(world.keys) };
  const repeated = { repeats: isRepeatable ? repeatsMax : 0, afterMs, ...(isRepeatable && { idempotencyKey: id }) };
  const answer = await sendAgain({ api: world.api, random, method, path, id, body, ...as, ...repeated }, ({ status, lost }, time) => {
    world.answered?.(what, status, lost);
    write.result = resultOf(status, time);
    return write.result !== 'info';
  });
  return { write: { ...write, status: answer.status, endedMs: performance.now() }, answer: answer.body };
}

/** A refused repetition shows nothing about the first request; a 409 means that it is still in flight. */
function resultOf(status: number, time: number): Write['result'] {
  if (status >= 200 && status < 300) return 'ok';
  return status >= 400 && status < 500 && status !== 409 && time === 0 ? 'fail' : 'info';
}
