/**
 * Money that runs out: every 200 and every 422 fits one order of each card, each customer's credit and each sale. So a refusal is
 * true at some moment between its request and its answer, too. Amounts are hundredths.
 */

import { isEffective } from './check-register.ts';
import type { History, Sale, Violation } from './history.ts';
import { type Operation, withoutOrder } from './one-order.ts';
import type { TillRequest } from './till-request.ts';

export function checkMoney({ tillRequests, register }: History): Violation[] {
  const sales = new Map(register.sales.map((sale) => [sale.receipt, sale]));
  const balanceOf = (ledger: string) =>
    new Map(register.holders.filter((holder) => holder.ledger === ledger).map(({ id, balance }) => [id, balance]));
  const [cards, credits] = [balanceOf('gift card'), balanceOf('store credit')];
  const started = (ledger: string, holder: number) =>
    register.balances
      .filter((row) => row.ledger === ledger && row.holder === holder && row.sale === null && row.amount > 0)
      .reduce((sum, { amount }) => sum + amount, 0);
  const known = tillRequests.map((request) => ({ ...request, sale: sales.get(request.receipt ?? '') }));
  const by = <Key>(key: (request: Known) => Key | null) =>
    [
      ...Map.groupBy(
        known.filter((request) => key(request) !== null),
        key,
      ),
    ] as [Key, Known[]][];
  return [
    ...by(({ receipt }) => receipt).flatMap(([receipt, own]) =>
      orderOf(`sale ${receipt}`, 'none', own.flatMap(onSale), endOf(sales.get(receipt))),
    ),
    ...by(({ card }) => card).flatMap(([card, own]) =>
      orderOf<CardState>(
        `gift card ${card}`,
        { balance: started('gift card', card), taken: {} },
        own.flatMap(onCard),
        ({ balance }) => balance === cards.get(card),
      ),
    ),
    ...by(({ customer }) => customer).flatMap(([customer, own]) =>
      orderOf<CreditState>(
        `store credit ${customer}`,
        { balance: started('store credit', customer), held: {} },
        own.flatMap(onCredit),
        ({ balance, held }) => balance === credits.get(customer) && Object.keys(held).every((receipt) => isEffective(sales.get(receipt))),
      ),
    ),
  ];
}

/** With the sale that it was about, if that was ever written. */
type Known = TillRequest & { sale: Sale | undefined };

function orderOf<State>(register: string, initial: State, operations: Operation<State>[], ends: (state: State) => boolean): Violation[] {
  const why = withoutOrder(initial, operations, ends);
  return why === undefined ? [] : [{ rule: 'one-order', detail: `${register}: ${why}` }];
}

/** An unknown outcome may be one at any later time, or none. */
const timesOf = ({ id, kind, status, says, invokedMs, endedMs, result }: TillRequest) => ({
  what: `${kind} ${id} (${status}${says && ` ${says}`})`,
  invokedMs,
  endedMs: result === 'info' ? Number.POSITIVE_INFINITY : endedMs,
  isOptional: result === 'info',
});

type SaleState = 'none' | 'pending' | 'completed' | 'voided';

const endOf = (sale: Sale | undefined) => (state: SaleState) =>
  state === (sale === undefined ? 'none' : sale.voided ? 'voided' : sale.counted ? 'completed' : 'pending');

function onSale(request: Known): Operation<SaleState>[] {
  const { kind, result, says } = request;
  const step = (state: SaleState): SaleState | undefined => {
    if (kind === 'sell' || kind === 'park') {
      if (result === 'fail') return state;
      return state === 'none' ? (kind === 'sell' ? 'completed' : 'pending') : undefined;
    }
    if (/voided/.test(says)) return state === 'voided' ? state : undefined;
    if (state === 'none') return undefined;
    if (result === 'fail') return kind === 'complete' && isTooLittle(says) && state !== 'pending' ? undefined : state;
    if (kind === 'void') return 'voided';
    if (state === 'voided') return undefined;
    return kind === 'complete' ? 'completed' : state;
  };
  return [{ ...timesOf(request), step }];
}

interface CardState {
  balance: number;
  /** By receipt, of sales that stand: what each took, its completion included. */
  taken: Record<string, number | 'voided'>;
}

const isTooLittle = (says: string): boolean => /has only|is redeemed|not enough/.test(says);

function onCard(request: Known): Operation<CardState>[] {
  const { kind, result, says, receipt, cardAmount, left } = request;
  if (kind === 'park') return [];
  if (result === 'fail' && !/has only|is redeemed/.test(says)) return [];
  const name = receipt ?? request.id;
  const completion = `${name} completed`;
  const step = ({ balance, taken }: CardState): CardState | undefined => {
    if (result === 'fail') {
      const only = /has only ([\d.]+)/.exec(says)?.[1];
      const isTrue = balance < cardAmount && (only === undefined ? balance === 0 : Math.round(Number(only) * 100) === balance);
      return isTrue && (kind === 'redeem' || taken[completion] === undefined) ? { balance, taken } : undefined;
    }
    if (kind === 'void') return voided({ balance, taken }, name, completion);
    if (taken[name] === 'voided') return undefined;
    if (kind !== 'redeem' && taken[completion] !== undefined) return { balance, taken };
    const after = balance - cardAmount;
    if (after < 0 || (left !== undefined && left !== after)) return undefined;
    const mark = kind === 'redeem' ? {} : { [completion]: 0 };
    return { balance: after, taken: { ...taken, ...mark, [name]: ((taken[name] as number | undefined) ?? 0) + cardAmount } };
  };
  return [{ ...timesOf(request), step }];
}

function voided({ balance, taken }: CardState, name: string, completion: string): CardState {
  const back = taken[name] === 'voided' ? 0 : (taken[name] ?? 0);
  return { balance: balance + back, taken: { ...taken, [name]: 'voided', [completion]: 0 } };
}

interface CreditState {
  balance: number;
  /** What was taken and is not given back, by request or by receipt. */
  held: Record<string, number>;
}

/**
 * Credit is taken before the sale's own transaction, and what no sale has used is given back later (D210): such a tender may stand
 * between another sale and its credit. What a void gives back comes with its event.
 */
function onCredit(request: Known): Operation<CreditState>[] {
  const { id, kind, result, says, credit, receipt, sale } = request;
  const times = timesOf(request);
  const later = { ...times, endedMs: Number.POSITIVE_INFINITY, isOptional: true };
  if (kind === 'void') return sale?.voided ? [{ ...later, step: giveBack(receipt!) }] : [];
  if (credit === 0 || kind === 'park' || kind === 'redeem') return [];
  if (result === 'fail' && isTooLittle(says) && /not enough/.test(says))
    return [{ ...times, step: (state) => (state.balance < credit ? state : undefined) }];
  const used: Operation<CreditState> = { ...times, step: take(receipt!, credit) };
  const unused = [
    { ...times, what: `${times.what} held`, isOptional: true, step: take(id, credit) },
    { ...later, what: `${times.what} given back`, step: giveBack(id) },
  ];
  if (result === 'fail') return unused;
  // Of two completions of a sale the second one needs nothing of what it took.
  return kind === 'sell' && result === 'ok' ? [used] : [used, ...unused];
}

/** A completion that finds its sale completed takes nothing. */
const take =
  (name: string, credit: number) =>
  ({ balance, held }: CreditState): CreditState | undefined => {
    if (held[name] !== undefined) return { balance, held };
    return balance < credit ? undefined : { balance: balance - credit, held: { ...held, [name]: credit } };
  };

const giveBack =
  (name: string) =>
  ({ balance, held }: CreditState): CreditState | undefined => {
    const { [name]: amount, ...others } = held;
    return amount === undefined ? undefined : { balance: balance + amount, held: others };
  };
