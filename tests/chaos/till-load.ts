/**
 * Tills that share gift cards and store credit that run out, and sales that several of them complete, void and redeem
 * for at the same time. Every answer is kept with its times.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Random, seededRandom } from '../../tools/local/random.ts';
import { type Answer, isSuccess } from '../kit/http.ts';
import { startClients } from '../kit/load.ts';
import { sendAgain } from './repeat.ts';
import type { TillRequest } from './till-request.ts';

export interface TillStore {
  token: string;
  product: number;
}

export interface TillLoad {
  tillRequests: TillRequest[];
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
}

interface TillLoadOptions {
  api: string[];
  stores: TillStore[];
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

type Plan = Pick<TillRequest, 'kind' | 'receipt' | 'card' | 'cardAmount' | 'customer' | 'credit'> & {
  method: 'POST' | 'PATCH';
  path: string;
  body: object;
};

const repeats = 4;
const afterMs = 300;
const restMs = 150;
/** More requests of one card or customer would make the search for their order long. */
const requestsPerPurse = 24;
const cardsPerPurse = 2;
const customersPerPurse = 2;
const startsWith = '5.00';

let begun = 0;

/** A store's product, which costs nothing but money. */
export async function openTillStore(api: string, token: string): Promise<TillStore> {
  const { product } = await create(api, { token }, '/products', { product: { name: 'Scarce', price: '2.00' } });
  return { token, product: product.id };
}

export function startTillLoad(options: TillLoadOptions): TillLoad {
  const tillRequests: TillRequest[] = [];
  const tills = options.stores.flatMap((store, s) => {
    const purse = sharedPurse(options.api, store);
    return Array.from({ length: options.tills }, (_, till): Till => {
      return { ...options, store, purse, tillRequests, random: seededRandom(options.seed * 1_000 + s * 100 + till) };
    });
  });
  const clients = startClients(tills.length, 0, async (n) => {
    const till = tills[n]!;
    await turn(till, till.random, await till.purse());
    await wait(restMs * (0.5 + till.random.next()));
  });
  return { tillRequests, ...clients };
}

interface Till extends TillLoadOptions {
  store: TillStore;
  purse: () => Promise<Purse>;
  tillRequests: TillRequest[];
  random: Random;
}

/** The purse of the moment; a new one while PostgreSQL is away is tried for until there is one. */
function sharedPurse(api: string[], store: TillStore): () => Promise<Purse> {
  let present: Promise<Purse> | undefined;
  return async () => {
    for (;;) {
      present ??= newPurse(api[0]!, store);
      const taken = present;
      const purse = await taken.catch(() => undefined);
      if (purse && purse.left-- > 0) return purse;
      if (present === taken) present = undefined;
      if (!purse) await wait(afterMs);
    }
  };
}

async function newPurse(api: string, store: TillStore): Promise<Purse> {
  const n = ++begun;
  const cards = await Promise.all(
    Array.from({ length: cardsPerPurse }, async (_, c) => {
      const number = `SCARCE-${n}-${c}`;
      const { gift_card } = await create(api, store, '/gift_cards', { gift_card: { card_number: number, amount: startsWith } });
      return { id: gift_card.id as number, number };
    }),
  );
  const customers = await Promise.all(
    Array.from({ length: customersPerPurse }, async (_, c) => {
      const { customer } = await create(api, store, '/customers', { customer: { name: `Scarce ${n} ${c}` } });
      const issue = { store_credit: { amount: startsWith, transaction_type: 'issue' } };
      await create(api, store, `/customers/${customer.id}/store_credit`, issue);
      return customer.id as number;
    }),
  );
  return { cards, customers, left: requestsPerPurse };
}

/** The body of a success, which a purse needs. */
async function create(api: string, { token }: Pick<TillStore, 'token'>, path: string, body: object): Promise<Answer['body']> {
  const idempotencyKey = `made-${++begun}-${token.slice(-6)}`;
  const answer = await sendAgain({
    api: [api],
    random: seededRandom(1),
    method: 'POST',
    path,
    token,
    body,
    idempotencyKey,
    repeats,
    afterMs,
  });
  if (!isSuccess(answer)) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

/** A card is redeemed; or a sale is sold at once; or it is parked, and then several tills want something of it at the same time. */
async function turn(till: Till, random: Random, purse: Purse): Promise<void> {
  const receipt = `T-${++begun}`;
  const tender = tenderOf(random, purse);
  const kind = random.next();
  if (kind < 0.2) return void (await sendPlan(till, random, redeemOf({ ...tender, receipt: null })));
  const isParked = kind < 0.7;
  const sale = {
    receipt_number: receipt,
    line_items: [{ product_id: till.store.product, quantity: 2, unit_price: '2.00' }],
    customer_id: tender.customer,
    payments: tender.payments,
    status: isParked ? 'pending' : 'completed',
  };
  const of = { ...tender, receipt };
  const sold = await sendPlan(till, random, { ...of, kind: isParked ? 'park' : 'sell', method: 'POST', path: '/sales', body: { sale } });
  if (sold === undefined) return;
  const { id } = sold.sale;
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
  await Promise.all(wanted.map((plan) => sendPlan(till, random, plan)));
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

/** The answer of a success; it is sent again at the other gateway under the same key while the outcome is unknown. */
async function sendPlan(
  { api, store, tillRequests }: Till,
  random: Random,
  { method, path, body, ...plan }: Plan,
): Promise<Answer['body']> {
  const id = `till-${++begun}-${random.between(0, 1e9)}`;
  const done: TillRequest = { ...plan, id, invokedMs: performance.now(), endedMs: 0, result: 'info', status: 0, says: '' };
  const request = { token: store.token, body, idempotencyKey: id, id, repeats, afterMs };
  const answer = await sendAgain({ api, random, method, path, ...request }, (one) => {
    done.result = isSuccess(one) ? 'ok' : one.status === 422 ? 'fail' : 'info';
    return done.result !== 'info';
  });
  Object.assign(done, { endedMs: performance.now(), status: answer.status });
  if (done.result === 'fail') done.says = JSON.stringify(answer.body?.errors);
  if (plan.kind === 'redeem' && done.result === 'ok') done.left = Math.round(answer.body.gift_card.balance * 100);
  tillRequests.push(done);
  return done.result === 'ok' ? answer.body : undefined;
}
