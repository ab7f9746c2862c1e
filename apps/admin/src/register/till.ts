/** What this till has sent and has no answer to. It is sent again under the same Idempotency-Key until one comes, so it counts once. */

import type { Answer } from '../api/client.ts';
import { ApiProblem } from '../api/problem.ts';
import { t } from '../language/t.ts';
import { agoText } from '../parts/time.tsx';
import type { Cart, Reward, SaleRow, Sold } from './cart.ts';
import type { Scan } from './scan-queue.ts';

export interface Sending {
  kind: 'park' | 'pay' | 'discard';
  idempotencyKey: string;
  /** The sale that is changed; absent: a new one. */
  saleId?: number;
  sale: Partial<SaleRow>;
  /** What the sale must still be: another till may have completed it. */
  version?: string;
  /** Cash that goes back to the customer. */
  change?: string;
  /** The clerk asks no more for the answer; the sale may be there or not. */
  isStopped?: boolean;
}

export interface Ended {
  kind: Sending['kind'];
  saleId: number;
  receipt: string;
  total: string;
  change: string;
}

/** A code and the products that have it. */
export interface Choice extends Scan {
  products: Sold[];
}

/** What a till keeps over a reload: cart, what was sent, codes that nothing has, and the last sale until the next begins. */
export interface Till {
  cart: Cart;
  sending?: Sending;
  unknown: string[];
  /** Scanned while a payment is open or under way. */
  held?: Scan[];
  /** Codes of them that the clerk is to scan again. */
  late?: string[];
  /** Of the sales that this till has parked, by id. */
  parkedRewards?: Record<number, Reward[]>;
  /** Codes that several products have: the clerk says which. */
  choices?: Choice[];
  ended?: Ended;
}

export type Sale = Answer<'createSale'>['sale'];

const signedOut = 401;
const keyInUse = 409;
const tooMany = 429;

/** Whether the store may answer the same request otherwise later: it was not reached, failed, is busy, or wants a new sign-in. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return false;
  return error.status === 0 || error.status >= 500 || [signedOut, keyInUse, tooMany].includes(error.status);
}

/** The session lapsed: signing in over the page is asked for, and the clerk begins again. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === signedOut;
}

interface Sent {
  send: (sending: Sending) => Promise<Sale>;
  /** Waits before the next attempt; false: it is given up. */
  pause: (attempts: number) => Promise<boolean>;
}

/** The store's answer, however often it has to be asked. Throws what the store refuses; undefined: given up. */
export async function answerTo(sending: Sending, { send, pause }: Sent): Promise<Sale | undefined> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await send(sending);
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      if (!(await pause(attempts))) return undefined;
    }
  }
}

/** What became of a parked sale meanwhile, in a clerk's words; undefined: it is parked still. */
export function endedElsewhere({ status, receipt_number, completed_at, updated_at }: Sale): string | undefined {
  if (status === 'pending' || status === 'ready') return undefined;
  return status === 'completed'
    ? t('{receipt} was paid {ago} at another till', { receipt: receipt_number, ago: agoText(completed_at ?? updated_at) })
    : t('{receipt} was discarded {ago} at another till', { receipt: receipt_number, ago: agoText(updated_at) });
}
