/** A sale as staff send it: accepted values and what is wrong with the rest. */
import { itemsMax } from '@store/contract';
import {
  type Accepted,
  aboveZero,
  choice,
  externalIdField,
  type FieldErrors,
  filled,
  idField,
  moneyField,
  parseFields,
  requiredText,
  sent,
  textField,
  timestampField,
  wasSent,
} from '@store/input';
import { sentences } from '@store/problem';
import type { SaleInput__Output } from '@store/protos/sales/v1.ts';
import { type AcceptedLine, acceptLines, say } from './line-item.input.ts';
import { fulfillmentMethods, fulfillmentStatuses, saleStatuses, saleTypes, sources } from './sale.ts';
import { split, tenderMethods } from './sale-payment.ts';
import type { Payment } from './tenders.ts';

const receiptNumberMax = 64;
const reasonMax = 1_000;
const noteMax = 1_000;
const cardNumberMax = 32;
const listsMax = itemsMax('store.sales.v1.SaleInput');

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
const paymentFields = {
  method: choice(tenderMethods),
  amount: filled(aboveZero(moneyField())),
  card_number: textField(cardNumberMax),
};

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
    say(`Payment ${index + 1}`, accepted.errors, messages);
    return { method, amount, card_number: method === 'gift_card' ? card_number : null };
  });
}
