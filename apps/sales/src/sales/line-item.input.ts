/** Lines of a sale as staff send them. */
import { itemsMax } from '@store/contract';
import {
  amountField,
  booleanField,
  type FieldErrors,
  filled,
  idField,
  moneyField,
  parseFields,
  quantityScale,
  requiredText,
  scaled,
  signedMoneyField,
  textField,
  wasSent,
} from '@store/input';
import type { SaleInput__Output, SaleLineInput__Output, SaleModifierInput__Output } from '@store/protos/sales/v1.ts';
import type { KeptModifier } from './sale-line-item.ts';

const noteMax = 1_000;
const linesMax = itemsMax('store.sales.v1.SaleInput');
const modifiersMax = itemsMax('store.sales.v1.SaleLineInput');

const positive = amountField().refine((text) => text === null || scaled(text, quantityScale)! > 0n, 'must be greater than 0');
const lineFields = {
  product_id: filled(idField()),
  quantity: filled(positive),
  unit_price: moneyField(),
  discount_amount: moneyField(),
  note: textField(noteMax),
  kitchen_item: booleanField(),
};
const modifierFields = {
  name: requiredText(),
  quantity: amountField(),
  price_adjustment: signedMoneyField(),
  removed: booleanField(),
};

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
export function acceptLines(input: SaleInput__Output, errors: FieldErrors, messages: string[]): AcceptedLine[] | undefined {
  if (!wasSent(input, 'line_items', linesMax, errors)) return undefined;
  if (input.line_items!.length === 0) errors.line_items = ["can't be blank"];
  return input.line_items!.map((line, index) => acceptLine(line, `Line ${index + 1}`, messages));
}

function acceptLine(line: SaleLineInput__Output, name: string, messages: string[]): AcceptedLine {
  const { values, errors } = parseFields(lineFields, { product_id: '', quantity: '', ...line });
  const areUsable = wasSent(line, 'modifiers', modifiersMax, errors);
  say(name, errors, messages);
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
  say(name, errors, messages);
  return {
    name: values.name ?? '',
    quantity: values.quantity ?? '1.000',
    price_adjustment: values.price_adjustment ?? '0.00',
    removed: values.removed ?? false,
  };
}

/** Field errors of one item as sentences: "Line 2 product id can't be blank". */
export function say(name: string, errors: FieldErrors, messages: string[]): void {
  for (const [field, found] of Object.entries(errors)) {
    for (const message of found) messages.push(`${name} ${field.replaceAll('_', ' ')} ${message}`);
  }
}
