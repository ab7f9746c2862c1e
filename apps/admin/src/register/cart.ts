/** The cart of this register: lines, discount, customer, and the parked sale that it came from. */
import type { Schemas } from '../api/gen/api.js';
import { centsOf, textOf, timesQuantity } from '../parts/money.ts';

export interface CartLine {
  productId: number;
  name: string;
  unitPrice: string;
  quantity: number;
}

export interface Cart {
  /** The parked sale that is being completed. */
  saleId?: number;
  lines: CartLine[];
  discount: string;
  customer?: { id: number; name: string };
}

export const emptyCart: Cart = { lines: [], discount: '' };

export type CartAction =
  | { kind: 'add'; product: Schemas['Product'] }
  | { kind: 'quantity'; productId: number; quantity: number }
  | { kind: 'remove'; productId: number }
  | { kind: 'discount'; amount: string }
  | { kind: 'customer'; customer: Cart['customer'] }
  | { kind: 'resume'; sale: Schemas['Sale'] }
  | { kind: 'clear' };

export function cartAfter(cart: Cart, action: CartAction): Cart {
  switch (action.kind) {
    case 'add':
      return { ...cart, lines: withProduct(cart.lines, action.product) };
    case 'quantity':
      return {
        ...cart,
        lines: cart.lines.map((line) => (line.productId === action.productId ? { ...line, quantity: action.quantity } : line)),
      };
    case 'remove':
      return { ...cart, lines: cart.lines.filter(({ productId }) => productId !== action.productId) };
    case 'discount':
      return { ...cart, discount: action.amount };
    case 'customer':
      return { ...cart, customer: action.customer };
    case 'resume':
      return resumed(action.sale);
    case 'clear':
      return emptyCart;
  }
}

/** A product that is scanned again is one more of it. */
function withProduct(lines: CartLine[], { id, name, effective_price }: Schemas['Product']): CartLine[] {
  const known = lines.find(({ productId }) => productId === id);
  if (known) return lines.map((line) => (line === known ? { ...line, quantity: line.quantity + 1 } : line));
  return [...lines, { productId: id, name: name ?? `Product ${id}`, unitPrice: effective_price, quantity: 1 }];
}

function resumed(sale: Schemas['Sale']): Cart {
  const lines = sale.line_items.flatMap(({ product_id, product_name, quantity, unit_price }) =>
    product_id === undefined ? [] : [{ productId: product_id, name: product_name, unitPrice: unit_price, quantity }],
  );
  const customer = sale.customer && { id: sale.customer.id, name: sale.customer.name ?? `Customer ${sale.customer.id}` };
  return { saleId: sale.id, lines, discount: centsOf(sale.discount_amount) ? sale.discount_amount : '', customer };
}

/** The sum of the lines, before tax and discount. The API decides the total. */
export function subtotalOf({ lines }: Cart): string {
  return textOf(lines.reduce((sum, { unitPrice, quantity }) => sum + timesQuantity(centsOf(unitPrice) ?? 0n, quantity), 0n));
}

export type SaleRow = Schemas['SaleRow'];

/** The body of POST or PATCH /sales, without payments. */
export function saleOf({ lines, discount, customer }: Cart): SaleRow {
  return {
    source: 'pos',
    line_items: lines.map(({ productId, quantity }) => ({ product_id: productId, quantity })),
    ...(discount.trim() !== '' && { discount_amount: discount.trim() }),
    ...(customer && { customer_id: customer.id }),
  };
}
