import {
  type Accepted,
  cents,
  choice,
  dateField,
  externalIdField,
  type FieldErrors,
  idField,
  moneyField,
  moneyMax,
  moneyText,
  parseFields,
  sent,
  textField,
  timestampField,
} from '@store/input';
import { sentences } from '@store/problem';
import type { PurchaseOrderChangeInput__Output, PurchaseOrderInput__Output } from '@store/protos/purchasing/v1.ts';
import { lineTotal } from '../order-lines/decimals.ts';
import { acceptOrdered, lineError, type OrderedValues } from '../order-lines/line.input.ts';
import { type OrderStatus, orderStatuses } from './purchase-order.ts';

const numberMax = 50;
const notesMax = 5_000;

/** What PATCH takes too, while nothing was received; the external id at any time. */
const detailFields = {
  supplier_id: idField(),
  expected_on: dateField(),
  notes: textField(notesMax),
  supplier_invoice_number: textField(),
  supplier_invoice_date: dateField(),
  external_id: externalIdField(),
};
export type OrderDetails = Accepted<typeof detailFields>;

const fields = (timeZone: string) => ({
  ...detailFields,
  order_number: textField(numberMax).transform((number) => number?.trim() ?? null),
  tax_amount: moneyField(),
  shipping_cost: moneyField(),
  ordered_at: timestampField(timeZone),
});

/** The order's amounts, which never change. */
export interface Amounts {
  subtotal: string;
  tax_amount: string;
  shipping_cost: string;
  total: string;
}

export interface AcceptedOrder {
  details: OrderDetails;
  /** null: the store makes one. */
  orderNumber: string | null;
  orderedAt: Date | null;
  amounts: Amounts;
  lines: OrderedValues[];
  errors: string[];
}

export function acceptOrder(input: PurchaseOrderInput__Output | null | undefined, timeZone: string): AcceptedOrder {
  const order = sent('purchase_order', input);
  const { values, errors } = parseFields(fields(timeZone), order);
  const { order_number, tax_amount, shipping_cost, ordered_at, ...details } = values;
  const { lines, errors: lineErrors } = acceptOrdered(order);
  const messages = [...sentences(errors), ...lineErrors];
  if (lines.length === 0 && lineErrors.length === 0) messages.push("Line items can't be blank");
  const amounts = amountsOf(lines, tax_amount ?? '0.00', shipping_cost ?? '0.00', messages);
  return { details, orderNumber: order_number ?? null, orderedAt: ordered_at ?? null, amounts, lines, errors: messages };
}

function amountsOf(lines: OrderedValues[], tax: string, shipping: string, messages: string[]): Amounts {
  let subtotal = 0n;
  for (const [index, { quantity_ordered, unit_price }] of lines.entries()) {
    const amount = lineTotal(quantity_ordered ?? '0', unit_price ?? null);
    if (amount >= moneyMax) messages.push(lineError(index, 'total is too large'));
    subtotal += amount;
  }
  const total = subtotal + cents(tax) + cents(shipping);
  if (total >= moneyMax && messages.length === 0) messages.push('Total is too large');
  return { subtotal: moneyText(subtotal), tax_amount: tax, shipping_cost: shipping, total: moneyText(total) };
}

/** What PATCH /purchase_orders/:id changes. */
interface AcceptedChange {
  status: OrderStatus | undefined;
  details: OrderDetails;
  errors: FieldErrors;
}

export function acceptChange(input: PurchaseOrderChangeInput__Output | null | undefined): AcceptedChange {
  const { values, errors } = parseFields({ status: choice(orderStatuses), ...detailFields }, sent('purchase_order', input));
  const { status, ...details } = values;
  return { status, details, errors };
}
