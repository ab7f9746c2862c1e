/** The one state of a till, and the events that change it: what a clerk or a scanner does, and what the store answers. */

import type { Answer } from '../api/client.ts';
import type { Schemas } from '../api/gen/api.js';
import { type Cart, type CartAction, emptyCart, type SaleRow, type Sold } from './cart.ts';
import type { Payment, Tender } from './payments.ts';
import type { Scan } from './scan.ts';

export type Sale = Answer<'createSale'>['sale'];
export type Reward = Schemas['LoyaltyReward'];

/** What this till has sent: it is sent again under its id, the Idempotency-Key, until an answer comes, so it counts once. */
export interface Sending {
  kind: 'park' | 'pay' | 'discard' | 'redeem';
  /** The sale that is changed; absent: a new one. */
  saleId?: number;
  sale?: Partial<SaleRow>;
  /** What the sale must still be: another till may have completed it. */
  version?: string;
  /** Cash that goes back to the customer. */
  change?: string;
  /** The parked sale that is taken up next. */
  next?: number;
  /** Whose points are taken for what, and what the cart gets for it. */
  redeemed?: Omit<Redemption, 'id'> & { actions: CartAction[] };
  /** The clerk asks no more for the answer; it may have taken effect or not. */
  isStopped?: boolean;
  /** It may have been sent by the page before, or until it was stopped: a refusal of who asks is no answer. */
  isAgain?: boolean;
}

/** What was sent for whose points; `id` is its Idempotency-Key. */
export interface Redemption {
  id: string;
  customer: { id: number; name: string };
  reward: Reward;
}

/** Before anything is sent, `pay`, `park`, and `redeem` wait until everything scanned so far is looked up. */
export type Work = { id: string } /** Its dialog is open; with the sale once it is priced. */ & (
  | { kind: 'pay'; sale?: Sale }
  | { kind: 'park'; next?: number }
  /** A parked sale is read; of a sale before it, what was scanned since is not. */
  | { kind: 'take'; saleId: number; isBehindSale?: boolean }
  /** Of the sale that was here with the version that was seen here; of another as it is now. */
  | { kind: 'discard'; saleId: number; version?: string }
  | { kind: 'redeem'; reward: Reward }
  | { kind: 'send'; sending: Sending }
);

export interface Ended {
  kind: Sending['kind'];
  saleId: number;
  receipt: string;
  total: string;
  change: string;
}

/** Tenders of a payment that the store refused; one that was only begun is none. */
export type ParkedHere = Pick<Cart, 'rewarded' | 'tenders'>;

/** A code and the products that have it. */
export interface Choice extends Scan {
  products: Sold[];
}

/** What a till keeps over a reload. */
export interface Till {
  cart: Cart;
  work?: Work;
  /** Of this cart, in their order, and not looked up yet. */
  scans: Scan[];
  /** Scanned while the cart could not change. */
  held: Scan[];
  /** Codes that nothing has, and codes that the clerk is to scan again, until they are seen. */
  unknown: string[];
  late: string[];
  /** In words, until they are seen: products that cannot be sold in the quantity before their code, and cards of another customer. */
  unsold: string[];
  /** Codes that several products have: the clerk says which. */
  choices: Choice[];
  /** Of the sales that this till has parked, by id: what the store does not keep of them. */
  parkedHere?: Record<number, ParkedHere>;
  /** The clerk went on without their answers. Whoever redeems one again sends the same, so that its points are taken once. */
  owed?: Redemption[];
  /** What the store, or a parked sale, said last. */
  refused?: string;
  /** The last sale, until the next begins. */
  ended?: Ended;
}

/** For so long after a change a touch may still be meant for what stood there before. */
export const settleMs = 400;

export const emptyTill: Till = { cart: emptyCart, scans: [], held: [], unknown: [], late: [], unsold: [], choices: [] };

/** What the clerk is told until it is seen. */
export type Told = 'unknown' | 'late' | 'unsold';

/** What a cleared till brings back. */
export type Cleared = Pick<Till, 'cart' | 'scans' | 'choices' | Told>;

export type Asked =
  | { kind: 'scan'; scan: Scan }
  | { kind: 'change'; action: CartAction }
  /** Without a product: none of them. */
  | { kind: 'choose'; choice: Choice; product?: Sold }
  | { kind: 'seen'; of: Told; place: number }
  | { kind: 'restore'; before: Cleared }
  | { kind: 'clear' | 'pay' | 'park'; id: string }
  | { kind: 'resume' | 'discard'; id: string; saleId: number }
  | { kind: 'redeem'; id: string; reward: Reward }
  | { kind: 'paid'; id: string; payments: Payment[]; change: string; tenders: Tender[] }
  /** Only the note of a parked sale was changed, at this till. Without a version something else was changed before. */
  | { kind: 'noted'; saleId: number; version?: string; note?: string }
  /** Into the payment that is open, whatever closes it. Undefined: nothing. */
  | { kind: 'typed'; tenders: Tender[] | undefined }
  /** Waits no longer for what is not sent yet. */
  | { kind: 'stop' }
  /** Asks again for what was sent, or takes it for what never arrived. */
  | { kind: 'goOn'; isThere: boolean };

/** Answers name what they answer: a scan, or what is under way. */
export type Answered =
  /** `code` is the one that they have, where it is not the scan's; `customer`: it is the number of their card. */
  | { kind: 'found'; code?: string; products: Sold[]; customer?: Cart['customer'] }
  | { kind: 'priced'; sale: Sale }
  | { kind: 'taken'; sale: Sale; version?: string; weighed: number[] }
  | { kind: 'discardable'; version?: string }
  | { kind: 'rewarded'; actions: CartAction[] }
  | { kind: 'stored'; saleId: number; receipt: string; total: string }
  | { kind: 'unanswered' }
  | { kind: 'refused'; message?: string; resume?: CartAction };

export type TillEvent = Asked | (Answered & { id: string });
