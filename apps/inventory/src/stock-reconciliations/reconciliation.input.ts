import { itemsMax } from '@store/contract';
import { amountField, idField, integerField, parseFields, textField } from '@store/input';
import { invalid, missing, sentences } from '@store/problem';
import type { StockReconciliationInput__Output, StockReconciliationLine__Output } from '@store/protos/inventory/v1.ts';

const notesMax = 1_000;
const agoMaxSeconds = 31 * 24 * 60 * 60;
const linesMax = itemsMax('store.inventory.v1.StockReconciliationInput').lines!;

const fields = { warehouse_location_id: idField(), notes: textField(notesMax), approved_by_id: idField() };
const lineFields = { product_id: idField(), counted_quantity: amountField(), counted_seconds_ago: integerField(0, agoMaxSeconds) };

export interface Reconciliation {
  locationId: number | null;
  notes: string | null;
  approverId: number | null;
  lines: CountedLine[];
}

interface CountedLine {
  productId: number;
  counted: string;
  /** An age, as the clock of a till may be wrong; null: as it is recorded. */
  secondsAgo: number | null;
}

/** A body without its wrapper is a 400 (D48); everything else that is wrong is said at once. */
export function acceptReconciliation(input: StockReconciliationInput__Output | null | undefined): Reconciliation {
  const sent = input && (input.lines?.length || Object.keys(fields).some((name) => Object.hasOwn(input, name)));
  if (!input || (!sent && !input.malformed?.length)) throw missing('stock_reconciliation');
  const { values, errors } = parseFields(fields, input);
  const messages = sentences(errors);
  const sentLines = input.lines ?? [];
  if (input.malformed?.includes('lines')) messages.push('Lines is invalid');
  else if (sentLines.length === 0) messages.push("Lines can't be blank");
  if (sentLines.length > linesMax) throw invalid([`at most ${linesMax} lines per request`]);
  const isMalformed = new Set(input.malformed);
  const lines = sentLines.flatMap((line, index) => {
    const name = `Line ${index + 1}`;
    const accepted = isMalformed.has(`lines.${index}`) ? [`${name} is invalid`] : acceptLine(line, name);
    if (!Array.isArray(accepted)) return [accepted];
    messages.push(...accepted);
    return [];
  });
  const repeated = lines.find((line, index) => lines.findIndex((other) => other.productId === line.productId) < index);
  if (repeated) messages.push(`Product ${repeated.productId} is counted more than once`);
  if (messages.length > 0) throw invalid(messages);
  return {
    locationId: values.warehouse_location_id ?? null,
    notes: values.notes ?? null,
    approverId: values.approved_by_id ?? null,
    lines,
  };
}

function acceptLine(line: StockReconciliationLine__Output, name: string): CountedLine | string[] {
  const { values, errors } = parseFields(lineFields, line);
  if (!values.product_id) errors.product_id ??= ["can't be blank"];
  if (typeof values.counted_quantity !== 'string') errors.counted_quantity ??= ["can't be blank"];
  const { product_id, counted_quantity } = values;
  if (Object.keys(errors).length > 0 || !product_id || typeof counted_quantity !== 'string') return sentences(errors, name);
  return { productId: product_id, counted: counted_quantity, secondsAgo: values.counted_seconds_ago ?? null };
}
