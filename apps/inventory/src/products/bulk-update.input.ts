import { itemsMax } from '@store/contract';
import { amountField, choice, moneyField, parseFields, parseId, thousandths } from '@store/input';
import { missing, Problem, sentences } from '@store/problem';
import type { BulkUpdateProductsRequest__Output, BulkUpdates__Output } from '@store/protos/inventory/v1.ts';
import type { Movement } from '../stock-adjustments/movement.ts';

const productsMax = itemsMax('store.inventory.v1.BulkUpdateProductsRequest').product_ids!;

/** The distinct ids to look for; entries that are no whole number are dropped (D71). */
export function selectedIds(request: BulkUpdateProductsRequest__Output): number[] {
  const sent = request.product_ids ?? [];
  if (sent.length === 0) throw new Problem('invalid', 'No products selected');
  const ids = new Set<number>();
  for (const text of sent) {
    const id = parseId(text.trim());
    if (id !== undefined) ids.add(id);
  }
  if (ids.size > productsMax) throw new Problem('invalid', `at most ${productsMax} products per request`);
  return [...ids];
}

export interface Updates {
  /** Two decimals. */
  price?: string;
  /** In this order: the stock that is set, then the adjustment (D72). */
  movements: Movement[];
  /** Why nothing may be applied to any product. */
  errors: string[];
}

const fields = { price: moneyField(), current_stock: amountField() };
const adjustmentFields = { type: choice(['set', 'add', 'subtract']), amount: amountField() };

/** The updates as sent; a body without the object is a 400, one with an empty object updates nothing (D72). */
export function sentUpdates(request: BulkUpdateProductsRequest__Output): BulkUpdates__Output {
  if (request.updates) return request.updates;
  if (request.empty_lists?.includes('updates')) return {};
  throw missing('updates');
}

/** Undefined when the request updates nothing that exists. */
export function acceptUpdates(updates: BulkUpdates__Output): Updates | undefined {
  const { values, errors } = parseFields(fields, updates);
  for (const name of ['price', 'current_stock'] as const) {
    if (values[name] === null) errors[name] = ["can't be blank"];
  }
  const messages = sentences(errors);
  const movements: Movement[] = typeof values.current_stock === 'string' ? [{ to: values.current_stock }] : [];
  const isMalformed = updates.malformed?.includes('stock_adjustment') ?? false;
  if (isMalformed) messages.push('Stock adjustment is invalid');
  if (updates.stock_adjustment) {
    const accepted = acceptAdjustment(updates.stock_adjustment);
    messages.push(...accepted.errors);
    if (accepted.movement) movements.push(accepted.movement);
  }
  const price = values.price ?? undefined;
  if (messages.length === 0 && price === undefined && movements.length === 0) return undefined;
  return { ...(price !== undefined && { price }), movements, errors: messages };
}

function acceptAdjustment(adjustment: object): { movement: Movement | undefined; errors: string[] } {
  const { values, errors } = parseFields(adjustmentFields, adjustment);
  if (values.type === undefined) errors.type ??= ['must be one of set, add, subtract'];
  if (typeof values.amount !== 'string') errors.amount ??= ["can't be blank"];
  const { type, amount } = values;
  // D166: a change that rounds to nothing is refused; setting the stock to 0 is no such change.
  if (typeof amount === 'string' && type !== 'set' && thousandths(amount) === 0n) errors.amount ??= ['must not be zero'];
  if (Object.keys(errors).length > 0 || typeof amount !== 'string')
    return { movement: undefined, errors: sentences(errors, 'Stock adjustment') };
  return { movement: type === 'set' ? { to: amount } : type === 'add' ? { by: amount } : { down: amount }, errors: [] };
}
