/** The cart of this register: lines, discount, customer, and the parked sale that it came from. */

import type { Schemas } from '../api/gen/api.js';
import { t } from '../language/t.ts';
import { centsOf, readMoney, textOf, timesQuantity } from '../parts/money.ts';
import { readQuantity } from '../parts/quantity.ts';
import { resumed } from './cart-resumed.ts';
import type { Tender } from './payments.ts';

export type SaleLine = Schemas['SaleLineInput'];

export interface CartLine {
  /** Of this line alone: several lines may be of one product. */
  key: number;
  productId: number;
  name: string;
  unitPrice: string;
  quantity: number;
  /** Sold by weight, so that a quantity has decimals. */
  weighed?: boolean;
  /** What a resumed line had and a given one has: it is sent as it is. Absent: the API says the price. */
  own?: Omit<SaleLine, 'product_id' | 'quantity'>;
}

/** Another till may change it meanwhile. */
interface Parked {
  id: number;
  receipt: string;
  version?: string;
  /** What it was when it was taken up, and what was sent of it since without an answer. */
  known?: Cart[];
}

export interface Cart {
  /** The parked sale that is being completed. */
  parked?: Parked;
  lines: CartLine[];
  discount: string;
  customer?: { id: number; name: string };
  /** For whom the parked sale waits; a new one in its place has it too. */
  note?: string;
  /** As the clerk typed them, of a payment that was refused or left. */
  tenders?: Tender[];
  /** How much of the discount redeemed rewards gave; it goes with the customer. */
  rewarded?: string;
}

export const emptyCart: Cart = { lines: [], discount: '' };

/** There is nothing to clear: without lines it may still have a customer, a discount, or a parked sale. */
export const isUnused = ({ lines, customer, parked, discount }: Cart): boolean =>
  lines.length === 0 && !customer && !parked && discount === '';

/** More of one line is a scan that landed in the wrong field, or a slip of the finger. */
const quantityMax = 9_999;
const thousandths = 1_000;
/** Begins the note of a line that a reward gave, in every language, so that another till knows it. */
const givenMark = '★ ';

/** What a line needs of its product. */
export type Sold = Pick<Schemas['Product'], 'id' | 'name' | 'effective_price' | 'unit_type'>;

export type CartAction =
  | { kind: 'add'; product: Sold; quantity: number }
  /** One more of it. */
  | { kind: 'more'; key: number }
  | { kind: 'quantity'; key: number; quantity: number }
  | { kind: 'remove'; key: number }
  | { kind: 'discount'; amount: string }
  | { kind: 'customer'; customer: Cart['customer'] }
  /** A reward takes off an amount, or gives one of a product. */
  | { kind: 'reward'; amount: string }
  | { kind: 'give'; product: Sold; reward: string }
  | { kind: 'resume'; sale: Schemas['Sale']; version?: string; rewarded?: string; tenders?: Tender[]; weighed?: number[] }
  /** What was taken away, a sale or the line that was there, comes back beside what has been added since. */
  | { kind: 'restore'; before: Cart; at?: number }
  /** The customer of before comes back with what rewards gave, unless there is another by now. */
  | { kind: 'regain'; before: Cart };

export function cartAfter(cart: Cart, action: CartAction): Cart {
  switch (action.kind) {
    case 'add':
      return { ...cart, lines: withProduct(cart.lines, action.product, action.quantity) };
    case 'more': {
      const line = cart.lines.find(({ key }) => key === action.key);
      return line ? { ...cart, lines: withOneMore(cart.lines, line) } : cart;
    }
    case 'quantity':
      return {
        ...cart,
        lines: cart.lines.map((line) => (line.key === action.key ? { ...line, quantity: rounded(action.quantity) } : line)),
      };
    case 'remove':
      return withoutLine(cart, action.key);
    case 'discount':
      return { ...cart, discount: action.amount };
    case 'customer':
      return { ...(action.customer?.id === cart.customer?.id ? cart : withoutCustomer(cart)), customer: action.customer };
    case 'reward':
      return {
        ...cart,
        discount: discountAfter(cart, centsOf(action.amount)!),
        rewarded: textOf(centsOf(cart.rewarded ?? '0')! + centsOf(action.amount)!),
      };
    case 'give': {
      const { effective_price } = action.product;
      const own = { unit_price: effective_price, discount_amount: effective_price, note: `${givenMark}${action.reward}` };
      return { ...cart, lines: [...cart.lines, { ...lineOf(cart.lines, action.product, 1), own }] };
    }
    case 'resume':
      return resumed(action);
    case 'restore':
      return restored(cart, action);
    case 'regain':
      return regained(cart, action.before);
  }
}

/** With its last line goes what would be of the next sale: a refused payment, and a note. */
function withoutLine({ tenders, note, ...cart }: Cart, gone: number): Cart {
  const lines = cart.lines.filter(({ key }) => key !== gone);
  const isNext = lines.length === 0;
  return { ...cart, lines, ...(tenders && !isNext && { tenders }), ...(note && (!isNext || cart.parked) && { note }) };
}

/** At least nothing. */
function discountAfter({ discount }: Cart, more: bigint): string {
  const cents = (centsOf(discount) ?? 0n) + more;
  return cents > 0n ? textOf(cents) : '';
}

const isGiven = ({ own }: CartLine): boolean => own?.note?.startsWith(givenMark) === true;

/** Whether rewards took something off or gave something. */
export const hasRewards = ({ rewarded, lines }: Cart): boolean => rewarded !== undefined || lines.some(isGiven);

/** Without what rewards took off and gave; what was given stays as goods. */
function withoutRewards({ rewarded = '0', ...cart }: Cart): Cart {
  const lines = cart.lines.map(({ own, ...line }) => (own && !isGiven({ ...line, own }) ? { ...line, own } : line));
  return { ...cart, lines, ...(centsOf(rewarded) && { discount: discountAfter(cart, -centsOf(rewarded)!) }) };
}

/** And without a refused payment by store credit, which is the customer's. */
function withoutCustomer({ tenders, ...cart }: Cart): Cart {
  const hasCredit = tenders?.some(({ method }) => method === 'store_credit');
  return { ...withoutRewards(cart), ...(tenders && !hasCredit && { tenders }) };
}

/** A sale comes back with its customer, unless there is another by now: then what its rewards gave does not come back. */
function restored(now: Cart, { before, at }: Extract<CartAction, { kind: 'restore' }>): Cart {
  const customer = now.customer ?? (at === undefined ? before.customer : undefined);
  const back = customer?.id === before.customer?.id ? before : withoutRewards(before);
  const lines = back.lines.reduce((all, line, index) => {
    const since = line.own ? undefined : all.find((one) => one.productId === line.productId && !one.own && hasRoom(one, line.quantity));
    if (since) return withQuantity(all, since, line.quantity);
    return all.toSpliced((at ?? 0) + index, 0, { ...line, key: nextKey(all) });
  }, now.lines);
  const more = centsOf(back.rewarded ?? '0')!;
  const discount = now.discount === '' ? back.discount : more === 0n ? now.discount : discountAfter(now, more);
  const rewarded = centsOf(now.rewarded ?? '0')! + more;
  // A refused payment comes back with its sale, and is of no other.
  const tenders = now.lines.length === 0 && back === before ? before.tenders : now.tenders;
  // Neither of them is of goods that came since.
  const note = now.note ?? (now.lines.length === 0 || at === undefined ? before.note : undefined);
  const isNoted = note && (lines.length > 0 || now.parked);
  const also = { ...(rewarded > 0n && { rewarded: textOf(rewarded) }), ...(tenders && { tenders }), ...(isNoted && { note }) };
  return { ...now, lines, discount, customer, ...also };
}

function regained(now: Cart, before: Cart): Cart {
  const { customer, rewarded } = before;
  if (now.customer && now.customer.id !== customer?.id) return now;
  const lines = before.lines.filter(isGiven).reduce((all, given) => {
    const line = all.find(({ key, own, productId }) => key === given.key && productId === given.productId && !own);
    if (!line) return all;
    const left = line.quantity - given.quantity;
    const rest = left > 0 ? [{ ...line, key: nextKey(all), quantity: left }] : [];
    return all.flatMap((one) => (one === line ? [given, ...rest] : one));
  }, now.lines);
  return { ...now, lines, customer, ...(rewarded && { rewarded, discount: discountAfter(now, centsOf(rewarded)!) }) };
}

/** Only what is weighed is sold in parts. */
export const mayBeSold = (quantity: number, { unit_type }: Sold): boolean =>
  quantity > 0 && (unit_type === 'gram' || Number.isInteger(quantity));

export const nextKey = (lines: CartLine[]): number => 1 + Math.max(0, ...lines.map(({ key }) => key));

/** A product that is scanned again is one more of it. A resumed line keeps its own price: one more is a line of its own, of today's. */
export function withProduct(lines: CartLine[], product: Sold, quantity: number): CartLine[] {
  const known = lines.find((line) => line.productId === product.id && !line.own && hasRoom(line, quantity));
  return known ? withQuantity(lines, known, quantity) : [...lines, lineOf(lines, product, quantity)];
}

/** Of a resumed or given line one more is a line of its own too, with what else it has. */
function withOneMore(lines: CartLine[], line: CartLine): CartLine[] {
  if (!line.own?.unit_price) return withQuantity(lines, line, 1);
  const { unit_price: _then, discount_amount: _off, ...also } = line.own;
  const { own: _own, ...one } = line;
  const isPlain = isGiven(line) || Object.keys(also).length === 0;
  return [...lines, { ...one, ...(!isPlain && { own: also }), key: nextKey(lines), quantity: 1 }];
}

/** Otherwise more of it is another line. */
const hasRoom = (line: CartLine, more: number): boolean => line.quantity + more <= quantityMax;

export function withQuantity(lines: CartLine[], known: CartLine, more: number): CartLine[] {
  return lines.map((line) => (line === known ? { ...line, quantity: Math.min(rounded(line.quantity + more), quantityMax) } : line));
}

const rounded = (quantity: number): number => Math.round(quantity * thousandths) / thousandths;

function lineOf(lines: CartLine[], { id, name, effective_price, unit_type }: Sold, quantity: number): CartLine {
  const line = { key: nextKey(lines), productId: id, name: name ?? t('Product without a name'), unitPrice: effective_price, quantity };
  return unit_type === 'gram' ? { ...line, weighed: true } : line;
}

/** As the API sums a line up. */
export function totalOf({ unitPrice, quantity, own: { modifiers = [], discount_amount = '0' } = {} }: CartLine): string {
  const extras = modifiers.reduce((sum, one) => sum + timesQuantity(centsOf(one.price_adjustment ?? '0')!, one.quantity ?? 1), 0n);
  return textOf(timesQuantity((centsOf(unitPrice) ?? 0n) + extras, quantity) - centsOf(discount_amount)!);
}

/** The quantity that a text says; undefined: it says none that can be sold. 0 means that the line goes. */
export function quantityFrom(text: string, { weighed, quantity }: Pick<CartLine, 'weighed' | 'quantity'>): number | undefined {
  const wanted = readQuantity(text) ?? Number.NaN;
  // A resumed line of a product that could not be read does not say that it is weighed; its quantity may.
  const mayBeSold = weighed || Number.isInteger(wanted) || !Number.isInteger(quantity);
  return wanted >= 0 && wanted <= quantityMax && mayBeSold ? rounded(wanted) : undefined;
}

export type SaleRow = Schemas['SaleRow'];

/** Why the cart is no sale; undefined: it is one. */
export function faultOf({ discount }: Cart): string | undefined {
  return discount === '' || readMoney(discount)?.startsWith('-') === false ? undefined : t('The discount is not an amount');
}

/** The body of POST or PATCH /sales, without status and payments. The API prices the lines. */
export function saleOf({ lines, discount, customer, parked, note }: Cart): SaleRow {
  return {
    ...(!parked && { source: 'pos', ...(note && { note }) }),
    line_items: lines.map(({ productId, quantity, own }) => ({ product_id: productId, quantity, ...own })),
    // What a parked sale had and has no longer is taken away.
    ...(discount !== '' || parked ? { discount_amount: readMoney(discount) ?? '0.00' } : {}),
    ...(customer || parked ? { customer_id: (customer?.id ?? null) as number } : {}),
  };
}
