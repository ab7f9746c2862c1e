/** Lists of lines that staff send: accepted, or every error of every line at once. */
import { itemsMax } from '@store/contract';
import { type Accepted, amountField, choice, costField, type Fields, idField, parseFields, textField } from '@store/input';
import { sentences } from '@store/problem';
import { matchStatuses, type NewLine } from './order-line.ts';
import type { OrderProduct } from './order-products.ts';

export const linesMax = itemsMax('store.purchasing.v1.PurchaseOrderInput').line_items!;
const unitMax = 50;
const unitDefault = 'unit';

const skuField = () => textField().transform((sku) => sku?.trim() ?? null);
const productFields = { product_id: idField(), product_name: textField(), sku: skuField(), unit_type: textField(unitMax) };
const orderedFields = { ...productFields, quantity_ordered: amountField(), unit_price: costField(), match_status: choice(matchStatuses) };
const receivedFields = { id: idField(), quantity_received: amountField(), ...productFields, unit_price: costField() };
const invoicedFields = { id: idField(), quantity_invoiced: amountField(), unit_cost_invoiced: costField() };

export type OrderedValues = Accepted<typeof orderedFields>;
export type ReceivedValues = Accepted<typeof receivedFields>;
export type InvoicedValues = Accepted<typeof invoicedFields>;

/** Accepted lines by their place in the body, and what is wrong with the others. */
interface AcceptedLines<Values> {
  lines: Values[];
  errors: string[];
}

interface SentList {
  line_items?: object[];
  malformed?: string[];
}

const blank = "can't be blank";
const notPositive = 'must be greater than 0';

export const acceptOrdered = (input: SentList): AcceptedLines<OrderedValues> =>
  acceptLines(input, orderedFields, (values, fail) => {
    demandQuantity('quantity_ordered', values.quantity_ordered, fail);
    if (typeof values.unit_price !== 'string') fail('unit_price', blank);
    demandProduct(values, fail);
    const { product_id, product_name, match_status } = values;
    if (match_status === 'create_new' && !product_name && product_id == null) fail('product_name', blank);
    if (match_status !== undefined && (product_id != null) !== (match_status === 'matched')) {
      fail('match_status', product_id == null ? 'must not be matched without a product_id' : 'must be matched with a product_id');
    }
  });

/** `complete`: nothing more is expected, so that a line may say that nothing arrived (D241). */
export const acceptReceived = (input: SentList, complete: boolean): AcceptedLines<ReceivedValues> =>
  acceptLines(input, receivedFields, (values, fail) => {
    demandQuantity('quantity_received', values.quantity_received, fail, complete);
    if (values.id == null) demandProduct(values, fail);
  });

export const acceptInvoiced = (input: SentList): AcceptedLines<InvoicedValues> =>
  acceptLines(input, invoicedFields, (values, fail) => {
    if (values.id == null) fail('id', blank);
    demandQuantity('quantity_invoiced', values.quantity_invoiced, fail, true);
  });

type Fail = (field: string, message: string) => void;

function demandQuantity(field: string, value: string | null | undefined, fail: Fail, mayBeZero = false): void {
  if (typeof value !== 'string') fail(field, blank);
  else if (!mayBeZero && Number(value) === 0) fail(field, notPositive);
}

function demandProduct({ product_id, product_name, sku }: Accepted<typeof productFields>, fail: Fail): void {
  if (product_id == null && !product_name && !sku) fail('product_id', blank);
}

function acceptLines<F extends Fields>(
  input: SentList,
  fields: F,
  demand: (values: Accepted<F>, fail: Fail) => void,
): AcceptedLines<Accepted<F>> {
  const sent = input.line_items ?? [];
  const malformed = new Set(input.malformed);
  if (malformed.has('line_items')) return { lines: [], errors: ['Line items is invalid'] };
  if (sent.length > linesMax) return { lines: [], errors: [`Line items is too long (maximum is ${linesMax})`] };
  const errors: string[] = [];
  const lines = sent.map((line, index) => {
    if (malformed.has(`line_items.${index}`)) {
      errors.push(lineError(index, 'is invalid'));
      return {} as Accepted<F>;
    }
    const accepted = parseFields(fields, line);
    // A field that was not accepted has its error already.
    demand(accepted.values, (field, message) => {
      accepted.errors[field] ??= [message];
    });
    errors.push(...sentences(accepted.errors, `Line ${index + 1}`));
    return accepted.values;
  });
  return { lines, errors };
}

/** What is wrong with the line at that place of the body. */
export function lineError(index: number, message: string): string {
  return `Line ${index + 1} ${message}`;
}

/** What is wrong with the products that new lines name; a line with an id is one of the order. */
export function productErrors(
  lines: (Accepted<typeof productFields> & { id?: number | null })[],
  products: Map<number, OrderProduct>,
): string[] {
  return lines.flatMap(({ id, product_id }, index) => {
    if (id != null || product_id == null) return [];
    const product = products.get(product_id);
    if (!product) return [lineError(index, 'product not found')];
    return product.hasVariations ? [lineError(index, 'product has variations; name one of them')] : [];
  });
}

/** A line as it is written: of its product, or of what was sent. */
export function newLine(
  values: Accepted<typeof productFields>,
  products: Map<number, OrderProduct>,
  more: Pick<NewLine, 'quantity_ordered' | 'quantity_received' | 'unit_price' | 'received_at'> & { createNew?: boolean },
): NewLine {
  const product = values.product_id == null ? undefined : products.get(values.product_id)!;
  const { createNew, ...rest } = more;
  return {
    product_id: product?.id ?? null,
    product_name: product ? product.name : (values.product_name ?? null),
    sku: product ? product.sku : (values.sku ?? null),
    unit_type: values.unit_type ?? product?.unitType ?? unitDefault,
    bundle: product?.isBundle ?? false,
    quantity_invoiced: null,
    unit_cost_invoiced: null,
    match_status: product ? 'matched' : createNew ? 'create_new' : 'unmatched',
    supplier_document_id: null,
    ...rest,
  };
}
