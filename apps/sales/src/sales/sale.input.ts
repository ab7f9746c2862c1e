import { itemsMax } from '@store/contract';
import {
  type Accepted,
  aboveZero,
  amountField,
  booleanField,
  choice,
  externalIdField,
  type FieldErrors,
  filled,
  idField,
  moneyField,
  parseFields,
  requiredText,
  sent,
  signedMoneyField,
  textField,
  thousandths,
  timestampField,
  wasSent,
} from '@store/input';
import { sentences } from '@store/problem';
import type { SaleInput__Output, SaleLineInput__Output, SaleModifierInput__Output } from '@store/protos/sales/v1.ts';
import { fulfillmentMethods, fulfillmentStatuses, saleStatuses, saleTypes, sources, split, tenderMethods } from './sale.ts';
import type { KeptModifier } from './sale-line-item.ts';
import type { Payment } from './tenders.ts';

const receiptNumberMax = 64;
const reasonMax = 1_000;
const noteMax = 1_000;
const cardNumberMax = 32;
const listsMax = itemsMax('store.sales.v1.SaleInput');
const modifiersMax = itemsMax('store.sales.v1.SaleLineInput');

const fields = (timeZone: string) => ({
  status: choice(saleStatuses),
  source: choice(sources),
  sale_type: choice(saleTypes),
  payment_method: choice([...tenderMethods, split]),
  customer_id: idField(),
  fulfillment_method: choice(fulfillmentMethods),
  fulfillment_status: choice(fulfillmentStatuses),
  discount_amount: moneyField(),
  green_echeck_surcharge: moneyField(),
  cash_drawer_session_id: idField(),
  completed_at: timestampField(timeZone),
  void_reason: textField(reasonMax),
  external_id: externalIdField(),
  note: textField(noteMax),
  receipt_number: requiredText(receiptNumberMax).transform((number) => number.trim()),
});
const newStatus = { status: choice(['completed', 'pending']) };
const paymentFields = { method: choice(tenderMethods), amount: filled(aboveZero(moneyField())), card_number: textField(cardNumberMax) };

type Values = Accepted<ReturnType<typeof fields>>;

export interface AcceptedSale {
  /** What was sent, by the client's names; absent fields keep their values. */
  values: Values;
  lines?: AcceptedLine[];
  payments?: Payment[];
  errors: FieldErrors;
  /** Of lines and payments. */
  messages: string[];
}

/** Throws a 400 at a body without its wrapper or with nothing known in it (D48). */
export function acceptSale(input: SaleInput__Output | null | undefined, timeZone: string): AcceptedSale {
  return accept(sent('sale', input), fields(timeZone));
}

/** A new sale has lines; it is completed unless it is parked. */
export function acceptNewSale(input: SaleInput__Output | null | undefined, timeZone: string): AcceptedSale {
  const accepted = accept(sent('sale', input), { ...fields(timeZone), ...newStatus });
  if (!accepted.lines) accepted.errors.line_items ??= ["can't be blank"];
  return { ...accepted, values: { status: 'completed', ...accepted.values } };
}

function accept(body: SaleInput__Output, known: ReturnType<typeof fields>): AcceptedSale {
  const { values, errors } = parseFields(known, body);
  const messages: string[] = [];
  const lines = acceptLines(body, errors, messages);
  const payments = acceptPayments(body, errors, messages);
  return { values, ...(lines && { lines }), ...(payments && { payments }), errors, messages };
}

/** Everything that is wrong, as sentences. */
export function faultsOf({ errors, messages }: Pick<AcceptedSale, 'errors' | 'messages'>): string[] {
  return [...sentences(errors), ...messages];
}

function acceptPayments(input: SaleInput__Output, errors: FieldErrors, messages: string[]): Payment[] | undefined {
  if (!wasSent(input, 'payments', listsMax, errors)) return undefined;
  return input.payments!.map((payment, index) => {
    const accepted = parseFields(paymentFields, { method: '', amount: '', ...payment });
    const { method = 'cash', amount = '0.00', card_number = null } = accepted.values;
    if (method === 'gift_card' && card_number === null) accepted.errors.card_number ??= ["can't be blank"];
    messages.push(...sentences(accepted.errors, `Payment ${index + 1}`));
    return { method, amount, card_number: method === 'gift_card' ? card_number : null };
  });
}

const positive = amountField().refine((text) => text === null || thousandths(text) > 0n, 'must be greater than 0');
const lineFields = {
  product_id: filled(idField()),
  quantity: filled(positive),
  unit_price: moneyField(),
  discount_amount: moneyField(),
  note: textField(noteMax),
  kitchen_item: booleanField(),
};
const modifierFields = { name: requiredText(), quantity: amountField(), price_adjustment: signedMoneyField(), removed: booleanField() };

export interface AcceptedLine {
  productId: number;
  quantity: string;
  /** Absent: the product's effective price. */
  unitPrice: string | null;
  discount: string;
  modifiers: KeptModifier[];
  note: string | null;
  kitchenItem: boolean;
}

/** Undefined: not sent. What is wrong is added to `errors`, by the list, and to `messages`, by the line. */
function acceptLines(input: SaleInput__Output, errors: FieldErrors, messages: string[]): AcceptedLine[] | undefined {
  if (!wasSent(input, 'line_items', listsMax, errors)) return undefined;
  if (input.line_items!.length === 0) errors.line_items = ["can't be blank"];
  return input.line_items!.map((line, index) => acceptLine(line, `Line ${index + 1}`, messages));
}

function acceptLine(line: SaleLineInput__Output, name: string, messages: string[]): AcceptedLine {
  const { values, errors } = parseFields(lineFields, { product_id: '', quantity: '', ...line });
  const areUsable = wasSent(line, 'modifiers', modifiersMax, errors);
  messages.push(...sentences(errors, name));
  return {
    productId: values.product_id ?? 0,
    quantity: values.quantity ?? '0.000',
    unitPrice: values.unit_price ?? null,
    discount: values.discount_amount ?? '0.00',
    modifiers: areUsable ? line.modifiers!.map((one, index) => acceptModifier(one, `${name} modifier ${index + 1}`, messages)) : [],
    note: values.note ?? null,
    kitchenItem: values.kitchen_item ?? false,
  };
}

function acceptModifier(modifier: SaleModifierInput__Output, name: string, messages: string[]): KeptModifier {
  const { values, errors } = parseFields(modifierFields, { name: '', ...modifier });
  messages.push(...sentences(errors, name));
  return {
    name: values.name ?? '',
    quantity: values.quantity ?? '1.000',
    price_adjustment: values.price_adjustment ?? '0.00',
    removed: values.removed ?? false,
  };
}
