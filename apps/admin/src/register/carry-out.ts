/** Does what is under way at the till, and says how it ended. */

import type { QueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { isForgotten } from '../api/idempotency-key.ts';
import { ApiProblem, isChangedMeanwhile, isForbidden, isSignedOut, isUnanswered } from '../api/problem.ts';
import { versions } from '../api/versions.ts';
import { fromApi, t } from '../language/t.ts';
import { catalogue } from '../parts/catalogue.ts';
import { agoText } from '../parts/time.tsx';
import { type CartLine, cartAfter, type SaleRow, saleOf } from './cart.ts';
import { giveReward } from './give-reward.ts';
import type { Answered, Sale, Sending, Till, Work } from './till.ts';

const retryMs = [500, 1_000, 2_000, 5_000];

export const pauseOf = (attempts: number): number => retryMs[Math.min(attempts, retryMs.length) - 1]!;

/** Asks until the store answers. Throws an error that `isOpen` does not leave open; undefined: `pause` resolved to false. */
export async function answerTo<T>(
  ask: () => Promise<T>,
  pause: (attempts: number) => Promise<boolean>,
  isOpen: (error: unknown, attempts: number) => boolean = isUnanswered,
): Promise<T | undefined> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await ask();
    } catch (error) {
      if (!isOpen(error, attempts)) throw error;
      if (!(await pause(attempts))) return undefined;
    }
  }
}

/** What the API asks for this cart: discounts, promotions and tax included. Nothing is stored. */
export function priceQuery(sale: SaleRow) {
  return {
    queryKey: ['price', sale],
    queryFn: async () => (await call('createSale', { body: { sale: { ...sale, status: 'pending' } } }, { dryRun: true })).sale,
    staleTime: 30_000,
    gcTime: 60_000,
    retry: (_count: number, error: Error) => isUnanswered(error) && !isSignedOut(error),
    retryDelay: (count: number) => pauseOf(count + 1),
  };
}

/** What the store refuses, with the names of the lines; what it no longer sells is no code of this till's any more. */
export function saidOf(error: Error, lines: CartLine[]): string {
  if (!(error instanceof ApiProblem)) return error.message;
  const said = error.messages.map((message) => {
    if (message.startsWith('Payments must sum up to'))
      return t('The price has changed meanwhile: look at what is to pay now, and take the payment again');
    const [, place, what] = /^Line (\d+) (.+)$/.exec(message) ?? [];
    const line = lines[Number(place) - 1];
    if (!line) return fromApi(message);
    if (what === 'product is unknown') catalogue.forget(line.productId);
    return `${line.name}: ${fromApi(what!)}`;
  });
  return said.length > 0 ? said.join(', ') : error.message;
}

interface Doors {
  client: QueryClient;
  pause: (attempts: number) => Promise<boolean>;
}

/** Undefined: nothing is to be told yet. */
export async function carryOut(work: Work, till: Till, { client, pause }: Doors): Promise<Answered | undefined> {
  const { cart } = till;
  try {
    switch (work.kind) {
      case 'pay':
        return work.sale ? undefined : { kind: 'priced', sale: await client.fetchQuery(priceQuery(saleOf(cart))) };
      case 'take':
        return await take(work.saleId);
      case 'discard':
        await parkedSale(work.saleId);
        return { kind: 'discardable', version: versions.of(`/sales/${work.saleId}`) };
      case 'redeem': {
        const price = async (one: typeof cart) => (one.lines.length === 0 ? undefined : client.fetchQuery(priceQuery(saleOf(one))));
        const actions = await giveReward(work.reward, await price(cart));
        // No points are taken for what the store would refuse.
        await price(actions.reduce(cartAfter, cart));
        return { kind: 'rewarded', actions };
      }
      case 'send':
        return (await answered(work, pause)) ?? { kind: 'unanswered' };
      case 'park':
        return undefined;
    }
  } catch (error) {
    // What the price was asked for has changed.
    client.removeQueries({ queryKey: ['price'] });
    if (isSignedOut(error)) return { kind: 'refused' };
    const said = saidOf(error as Error, cart.lines);
    return work.kind === 'send' ? await explained(error as Error, said, work.sending) : { kind: 'refused', message: said };
  }
}

/** Undefined: it is asked no more, or may not be. */
async function answered({ id, sending }: Extract<Work, { kind: 'send' }>, pause: Doors['pause']): Promise<Answered | undefined> {
  if (isTooOld(id, sending)) return undefined;
  // Behind an attempt that may have acted, a refusal of who asks is no answer.
  const isOpen = (error: unknown, attempts: number) =>
    isUnanswered(error) || ((attempts > 1 || sending.isAgain === true) && isForbidden(error));
  return answerTo(
    () => send(id, sending),
    async (attempts) => (await pause(attempts)) && !isTooOld(id, sending),
    isOpen,
  );
}

/** The store would take it for something new; a sale that is there already is held by its version. */
export const isTooOld = (id: string, { saleId }: Sending): boolean => saleId === undefined && isForgotten(id);

const withNote = { include: 'note' };

async function send(idempotencyKey: string, { saleId, sale, version, redeemed }: Sending): Promise<Answered> {
  if (redeemed) {
    const { customer, reward } = redeemed;
    await call('redeemReward', { params: { id: customer.id }, body: { reward_id: reward.id } }, { idempotencyKey });
    return { kind: 'stored', saleId: 0, receipt: '', total: '0.00' };
  }
  const { id, receipt_number, total } = (
    saleId
      ? await call('updateSale', { params: { id: saleId }, body: { sale: sale! } }, { idempotencyKey, version })
      : await call('createSale', { body: { sale: sale as SaleRow } }, { idempotencyKey })
  ).sale;
  return { kind: 'stored', saleId: id, receipt: receipt_number, total };
}

/** A refusal in the clerk's words, where the sale ended or changed at another till. */
async function explained(error: Error, message: string, { kind, saleId }: Sending): Promise<Answered> {
  if (saleId === undefined) return { kind: 'refused', message };
  const sale = await call('getSale', { params: { id: saleId }, query: withNote }).then(
    (answer) => answer.sale,
    () => undefined,
  );
  const ending = sale && endedElsewhere(sale);
  if (ending !== undefined || !sale || !isChangedMeanwhile(error)) return { kind: 'refused', message: ending ?? message };
  const { receipt_number: receipt } = sale;
  if (kind === 'discard') return { kind: 'refused', message: t('{receipt} was changed at another till, and is parked still', { receipt }) };
  const changed = t('{receipt} was changed at another till: this is how it is now', { receipt });
  const { version, weighed } = await taken(sale);
  return { kind: 'refused', message: changed, resume: { kind: 'resume', sale, version, weighed } };
}

async function take(id: number): Promise<Answered> {
  const sale = await parkedSale(id);
  return { kind: 'taken', sale, ...(await taken(sale)) };
}

async function parkedSale(id: number): Promise<Sale> {
  const { sale } = await call('getSale', { params: { id }, query: withNote });
  const ending = endedElsewhere(sale);
  if (ending !== undefined) throw new Error(ending);
  return sale;
}

/** What a sale does not say of itself: its version, and which of its products are weighed. */
async function taken({ id, line_items }: Sale): Promise<{ version?: string; weighed: number[] }> {
  const version = versions.of(`/sales/${id}`);
  const products = [...new Set(line_items.flatMap(({ product_id }) => product_id ?? []))];
  const units = await Promise.all(products.map(async (one) => [one, await catalogue.unitOf(one)] as const));
  return { version, weighed: units.flatMap(([product, unit]) => (unit === 'gram' ? product : [])) };
}

/** What became of a parked sale meanwhile, in a clerk's words; undefined: it is parked still. */
function endedElsewhere({ status, receipt_number, completed_at, updated_at }: Sale): string | undefined {
  if (status === 'pending' || status === 'ready') return undefined;
  return status === 'completed'
    ? t('{receipt} was paid {ago} at another till', { receipt: receipt_number, ago: agoText(completed_at ?? updated_at) })
    : t('{receipt} was discarded {ago} at another till', { receipt: receipt_number, ago: agoText(updated_at) });
}
