/**
 * Tills that share what is scarce: gift cards and store credit that run out, and sales that several of them complete, void and redeem
 * for at the same time. Every answer is kept with its times.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { ask } from './ask.ts';
import type { Deed } from './deed.ts';
import { type Random, seededRandom } from './random.ts';

export interface ScarceStore {
  token: string;
  product: number;
}

export interface Scarce {
  deeds: Deed[];
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
}

interface ScarceOptions {
  api: string[];
  stores: ScarceStore[];
  seed: number;
  /** In each store. */
  tills: number;
}

/** What one till after the other spends until it is as good as empty. */
interface Purse {
  cards: { id: number; number: string }[];
  customers: number[];
  left: number;
}

type Plan = Pick<Deed, 'kind' | 'receipt' | 'card' | 'cardAmount' | 'customer' | 'credit'> & {
  method: 'POST' | 'PATCH';
  path: string;
  body: object;
};

const answerWithinMs = 12_000;
const repeatsMax = 4;
const repeatAfterMs = 300;
const restMs = 150;
/** More requests of one card or customer would make the search for their order long. */
const deedsPerPurse = 24;
const cardsPerPurse = 2;
const customersPerPurse = 2;
const startsWith = '5.00';

let begun = 0;

/** A store's product, which costs nothing but money. */
export async function openScarceStore(api: string, token: string): Promise<ScarceStore> {
  const { product } = (await made(api, token, '/products', { product: { name: 'Scarce', price: '2.00' } })) as { product: { id: number } };
  return { token, product: product.id };
}

export function startScarceLoad(options: ScarceOptions): Scarce {
  const deeds: Deed[] = [];
  const stopping = new AbortController();
  const tills = options.stores.flatMap((store, s) => {
    const purse = sharedPurse(options.api, store);
    return Array.from({ length: options.tills }, (_, till) =>
      run({ ...options, store, purse, deeds, signal: stopping.signal }, s * 100 + till),
    );
  });
  return {
    deeds,
    stop: async () => {
      stopping.abort();
      await Promise.all(tills);
    },
  };
}

interface Till extends ScarceOptions {
  store: ScarceStore;
  purse: () => Promise<Purse>;
  deeds: Deed[];
  signal: AbortSignal;
}

async function run(till: Till, number: number): Promise<void> {
  const random = seededRandom(till.seed * 1_000 + number);
  while (!till.signal.aborted) {
    await turn(till, random, await till.purse());
    await wait(restMs * (0.5 + random.next()));
  }
}

/** The purse of the moment; a new one while PostgreSQL is away is tried for until there is one. */
function sharedPurse(api: string[], store: ScarceStore): () => Promise<Purse> {
  let present: Promise<Purse> | undefined;
  return async () => {
    for (;;) {
      present ??= newPurse(api[0]!, store);
      const taken = present;
      const purse = await taken.catch(() => undefined);
      if (purse && purse.left-- > 0) return purse;
      if (present === taken) present = undefined;
      if (!purse) await wait(repeatAfterMs);
    }
  };
}

async function newPurse(api: string, { token }: ScarceStore): Promise<Purse> {
  const n = ++begun;
  const cards = await Promise.all(
    Array.from({ length: cardsPerPurse }, async (_, c) => {
      const number = `SCARCE-${n}-${c}`;
      const { gift_card } = (await made(api, token, '/gift_cards', { gift_card: { card_number: number, amount: startsWith } })) as {
        gift_card: { id: number };
      };
      return { id: gift_card.id, number };
    }),
  );
  const customers = await Promise.all(
    Array.from({ length: customersPerPurse }, async (_, c) => {
      const body = { customer: { name: `Scarce ${n} ${c}` } };
      const { customer } = (await made(api, token, '/customers', body)) as { customer: { id: number } };
      const issue = { store_credit: { amount: startsWith, transaction_type: 'issue' } };
      await made(api, token, `/customers/${customer.id}/store_credit`, issue);
      return customer.id;
    }),
  );
  return { cards, customers, left: deedsPerPurse };
}

async function made(api: string, token: string, path: string, body: object): Promise<unknown> {
  const headers = {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${token}`,
    'Idempotency-Key': `made-${++begun}-${token.slice(-6)}`,
  };
  for (let time = 0; ; time++) {
    const answered = await ask(`${api}${path}`, { method: 'POST', headers, body: JSON.stringify(body), withinMs: answerWithinMs });
    if (answered.status >= 200 && answered.status < 300) return JSON.parse(answered.text);
    if (time === repeatsMax) throw new Error(`${path} answered ${answered.status}: ${answered.text}`);
    await wait(repeatAfterMs);
  }
}

/** A card is redeemed; or a sale is sold at once; or it is parked, and then several tills want something of it at the same time. */
async function turn(till: Till, random: Random, purse: Purse): Promise<void> {
  const receipt = `T-${++begun}`;
  const tender = tenderOf(random, purse);
  const kind = random.next();
  if (kind < 0.2) return void (await deed(till, random, redeemOf({ ...tender, receipt: null })));
  const isParked = kind < 0.7;
  const sale = {
    receipt_number: receipt,
    line_items: [{ product_id: till.store.product, quantity: 2, unit_price: '2.00' }],
    customer_id: tender.customer,
    payments: tender.payments,
    status: isParked ? 'pending' : 'completed',
  };
  const of = { ...tender, receipt };
  const sold = await deed(till, random, { ...of, kind: isParked ? 'park' : 'sell', method: 'POST', path: '/sales', body: { sale } });
  if (sold === undefined) return;
  const { id } = (sold as { sale: { id: number } }).sale;
  const patch = (kind: 'complete' | 'void', values: object): Plan => ({
    ...of,
    kind,
    method: 'PATCH',
    path: `/sales/${id}`,
    body: { sale: values },
  });
  const complete = () => patch('complete', { status: 'completed' });
  const voids = () => patch('void', { status: 'voided', void_reason: `void ${++begun}` });
  const redeem = () => redeemOf(of, id);
  const choice = isParked ? [complete, complete, voids, redeem] : [voids, voids, redeem];
  const wanted = Array.from({ length: random.between(1, 3) }, () => random.pick(choice)());
  await Promise.all(wanted.map((plan) => deed(till, random, plan)));
}

function tenderOf(random: Random, { cards, customers }: Purse) {
  const total = 400;
  // A sale may take from this card alone, at its completion or when a till redeems for it.
  const card = random.pick(cards);
  const cardAmount = random.next() < 0.7 ? random.between(1, 6) * 25 : 0;
  const credit = cardAmount === 0 || random.next() < 0.5 ? random.between(1, 6) * 25 : 0;
  const payments = [
    ...(cardAmount > 0 ? [{ method: 'gift_card', amount: money(cardAmount), card_number: card.number }] : []),
    ...(credit > 0 ? [{ method: 'store_credit', amount: money(credit) }] : []),
    { method: 'cash', amount: money(total - cardAmount - credit) },
  ];
  return { card: card.id, cardAmount, customer: random.pick(customers), credit, payments };
}

const money = (hundredths: number): string => (hundredths / 100).toFixed(2);

function redeemOf({ receipt, card, cardAmount }: Pick<Plan, 'receipt' | 'card' | 'cardAmount'>, saleId?: number): Plan {
  const amount = cardAmount || 75;
  const body = { amount: money(amount), ...(saleId && { sale_id: saleId }) };
  const path = `/gift_cards/${card}/redeem`;
  return { kind: 'redeem', receipt, card, cardAmount: amount, customer: null, credit: 0, method: 'POST', path, body };
}

/** Asks, again at the other gateway under the same key while the outcome is unknown; the answer of a success. */
async function deed({ api, store, deeds }: Till, random: Random, { method, path, body, ...plan }: Plan): Promise<unknown> {
  const id = `till-${++begun}-${random.between(0, 1e9)}`;
  const first = random.between(0, api.length - 1);
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${store.token}`, 'Idempotency-Key': id };
  const done: Deed = { ...plan, id, invokedMs: performance.now(), endedMs: 0, result: 'info', status: 0, says: '' };
  let answer: { errors?: string[]; gift_card?: { balance: number } } | undefined;
  for (let time = 0; time <= repeatsMax; time++) {
    if (time > 0) await wait(repeatAfterMs);
    const answered = await ask(`${api[(first + time) % api.length]}${path}`, {
      method,
      headers: { ...headers, 'X-Request-Id': `${id}-${time}` },
      body: JSON.stringify(body),
      withinMs: answerWithinMs,
    });
    answer = answered.text === '' ? undefined : JSON.parse(answered.text);
    done.status = answered.status;
    done.result = answered.status >= 200 && answered.status < 300 ? 'ok' : answered.status === 422 ? 'fail' : 'info';
    if (done.result !== 'info') break;
  }
  done.endedMs = performance.now();
  if (done.result === 'fail') done.says = JSON.stringify(answer?.errors);
  if (plan.kind === 'redeem' && done.result === 'ok') done.left = Math.round(answer!.gift_card!.balance * 100);
  deeds.push({ ...done, ...(done.result === 'info' && { says: '' }) });
  return done.result === 'ok' ? answer : undefined;
}
