/** The cart of this register: lines, discount, customer, and the parked sale that it came from. */

import type { Schemas } from '../api/gen/api.js';
import { t } from '../language/t.ts';
import { centsOf, textOf } from '../parts/money.ts';
import { nameless } from '../parts/worded.ts';

export interface CartLine {
  productId: number;
  name: string;
  unitPrice: string;
  quantity: number;
  /** Sold by weight, so that a quantity has decimals. */
  weighed?: boolean;
}

export interface Cart {
  /** The parked sale that is being completed. */
  parked?: { id: number; receipt: string /** As it was taken up: another till may change it. */; version?: string };
  lines: CartLine[];
  discount: string;
  customer?: { id: number; name: string };
  /** What redeemed rewards add to the discount; it goes with the product that was given, and with the customer. */
  rewards?: Reward[];
}

export interface Reward {
  amount: string;
  productId?: number;
}

export const emptyCart: Cart = { lines: [], discount: '' };
/** More of one line is a scan that landed in the wrong field, or a slip of the finger. */
export const quantityMax = 9_999;
const thousandths = 1_000;

/** What a line needs of its product. */
export type Sold = Pick<Schemas['Product'], 'id' | 'name' | 'effective_price' | 'unit_type'>;

export type CartAction =
  | { kind: 'add'; product: Sold; quantity: number }
  | { kind: 'quantity'; productId: number; quantity: number }
  | { kind: 'remove'; productId: number }
  | { kind: 'discount'; amount: string }
  | { kind: 'customer'; customer: Cart['customer'] }
  | { kind: 'reward'; reward: Reward }
  | { kind: 'resume'; sale: Schemas['Sale']; version?: string; rewards?: Reward[] }
  /** What was taken away comes back, beside what has been added since. */
  | { kind: 'restore'; before: Cart };

export function cartAfter(cart: Cart, action: CartAction): Cart {
  switch (action.kind) {
    case 'add':
      return { ...cart, lines: withProduct(cart.lines, action.product, action.quantity) };
    case 'quantity':
      return {
        ...cart,
        lines: cart.lines.map((line) => (line.productId === action.productId ? { ...line, quantity: action.quantity } : line)),
      };
    case 'remove':
      return {
        ...withoutRewards(cart, ({ productId }) => productId === action.productId),
        lines: cart.lines.filter(({ productId }) => productId !== action.productId),
      };
    case 'discount':
      return { ...cart, discount: action.amount };
    case 'customer':
      return { ...withoutRewards(cart, () => action.customer?.id !== cart.customer?.id), customer: action.customer };
    case 'reward':
      return {
        ...cart,
        discount: discountAfter(cart, centsOf(action.reward.amount)!),
        rewards: [...(cart.rewards ?? []), action.reward],
      };
    case 'resume':
      return resumed(action);
    case 'restore':
      return restored(cart, action.before);
  }
}

/** At least nothing. */
function discountAfter({ discount }: Cart, more: bigint): string {
  const cents = (centsOf(discount) ?? 0n) + more;
  return cents > 0n ? textOf(cents) : '';
}

/** Without the rewards that go, and without what they took off. */
function withoutRewards(cart: Cart, goes: (reward: Reward) => boolean): Cart {
  const gone = (cart.rewards ?? []).filter(goes);
  if (gone.length === 0) return cart;
  const less = gone.reduce((sum, { amount }) => sum + centsOf(amount)!, 0n);
  return { ...cart, discount: discountAfter(cart, -less), rewards: cart.rewards!.filter((reward) => !goes(reward)) };
}

function restored(now: Cart, before: Cart): Cart {
  const added = now.lines.filter(({ productId }) => before.lines.every((line) => line.productId !== productId));
  const lines = before.lines.map((line) => {
    const since = now.lines.find(({ productId }) => productId === line.productId);
    return since ? { ...line, quantity: Math.min(line.quantity + since.quantity, quantityMax) } : line;
  });
  const rewards = [...(before.rewards ?? []), ...(now.rewards ?? [])];
  const { parked, customer = before.customer } = now;
  const cart = { lines: [...lines, ...added], discount: now.discount || before.discount, customer, rewards };
  return parked ? { parked, ...cart } : cart;
}

/** A product that is scanned again is one more of it. */
function withProduct(lines: CartLine[], product: Sold, quantity: number): CartLine[] {
  const { id, name, effective_price, unit_type } = product;
  const known = lines.find(({ productId }) => productId === id);
  if (known) return lines.map((line) => (line === known ? { ...line, quantity: Math.min(line.quantity + quantity, quantityMax) } : line));
  const line = { productId: id, name: name ?? t('Product without a name'), unitPrice: effective_price, quantity };
  return [...lines, unit_type === 'gram' ? { ...line, weighed: true } : line];
}

function resumed({ sale, version, rewards = [] }: Extract<CartAction, { kind: 'resume' }>): Cart {
  const { id, receipt_number, line_items, discount_amount, customer: buyer } = sale;
  const lines = line_items.flatMap(({ product_id, product_name, quantity, unit_price }) =>
    product_id === undefined ? [] : [{ productId: product_id, name: product_name, unitPrice: unit_price, quantity }],
  );
  const customer = buyer && { id: buyer.id, name: buyer.name ?? nameless };
  const parked = { id, receipt: receipt_number, ...(version && { version }) };
  return { parked, lines, discount: centsOf(discount_amount) ? discount_amount : '', customer, ...(rewards.length > 0 && { rewards }) };
}

/** The quantity that a text says; undefined: it says none that can be sold. 0 means that the line goes. */
export function quantityFrom(text: string, { weighed, quantity }: Pick<CartLine, 'weighed' | 'quantity'>): number | undefined {
  const wanted = /^\d{1,4}([.,]\d{1,3})?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : Number.NaN;
  const isWhole = Number.isInteger(wanted);
  // A resumed line does not say whether its product is weighed; its quantity may.
  const mayBeSold = weighed || isWhole || !Number.isInteger(quantity);
  return wanted <= quantityMax && mayBeSold ? Math.round(wanted * thousandths) / thousandths : undefined;
}

export type SaleRow = Schemas['SaleRow'];

/** The body of POST or PATCH /sales, without status and payments. The API prices the lines. */
export function saleOf({ lines, discount, customer, parked }: Cart): SaleRow {
  return {
    source: 'pos',
    line_items: lines.map(({ productId, quantity }) => ({ product_id: productId, quantity })),
    // What a parked sale had and has no longer is taken away.
    ...(discount !== '' || parked ? { discount_amount: discount || '0.00' } : {}),
    ...(customer || parked ? { customer_id: (customer?.id ?? null) as number } : {}),
  };
}
