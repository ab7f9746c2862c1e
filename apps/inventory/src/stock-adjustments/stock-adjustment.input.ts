import { amountField, choice, idField, parseFields, parseId, parseTimestamp, quantityField, textField, thousandths } from '@store/input';
import { missing, notFound, Problem, sentences } from '@store/problem';
import type { CreateStockAdjustmentRequest__Output, ListStockAdjustmentsRequest__Output } from '@store/protos/inventory/v1.ts';
import type { Caller } from '@store/rpc';
import type { Movement } from './movement.ts';

/** The types that POST /stock_adjustments creates. */
const creatableTypes = ['receive', 'count', 'inventory', 'spoilage', 'damage', 'reweigh', 'moisture_loss'] as const;
const reasonMax = 1_000;

const fields = {
  adjustment_type: choice(creatableTypes),
  quantity_change: quantityField(),
  counted_quantity: amountField(),
  warehouse_location_id: idField(),
  reason: textField(reasonMax),
};

export interface NewAdjustment {
  productId: number;
  type: string;
  movement: Movement;
  locationId: number | null;
  reason: string | null;
}

/** The usable values, and the errors of the others. */
export interface AcceptedAdjustment {
  productId: number;
  accepted: NewAdjustment | undefined;
  errors: string[];
}

/** D101: 400 for what is missing, 404 for the product, and only then the 422s. */
export function acceptAdjustment(request: CreateStockAdjustmentRequest__Output): AcceptedAdjustment {
  const isCount = request.adjustment_type === 'inventory';
  const quantityName = isCount ? 'counted_quantity' : 'quantity_change';
  for (const name of ['product_id', 'adjustment_type', quantityName] as const) {
    if (isBlank(request[name]) && !request.malformed?.includes(name)) throw missing(name);
  }
  const productId = parseId(request.product_id?.trim());
  if (productId === undefined) throw notFound('Product');
  // D105: a count's quantity_change is not looked at, nor counted_quantity of anything else.
  const { [isCount ? 'quantity_change' : 'counted_quantity']: _ignored, ...accepted } = fields;
  const { values, errors } = parseFields(accepted, request) as ReturnType<typeof parseFields<typeof fields>>;
  const quantity = values[quantityName];
  if (!isCount && typeof quantity === 'string' && thousandths(quantity) === 0n) errors.quantity_change = ['must not be zero'];
  const type = values.adjustment_type;
  if (Object.keys(errors).length > 0 || typeof quantity !== 'string' || type === undefined) {
    return { productId, accepted: undefined, errors: sentences(errors) };
  }
  const movement = isCount ? { to: quantity } : { by: quantity };
  return {
    productId,
    accepted: { productId, type, movement, locationId: values.warehouse_location_id ?? null, reason: values.reason ?? null },
    errors: [],
  };
}

function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === '';
}

/** Filters of GET /stock_adjustments as conditions of its statement (D25, D36, D110); none where no row can pass them. */
export function ledgerConditions(
  request: ListStockAdjustmentsRequest__Output,
  { storeId, timeZone }: Caller,
): { conditions: string[]; values: unknown[] } | undefined {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const add = (condition: string, value: unknown) => {
    values.push(value);
    conditions.push(`${condition} $${values.length}`);
  };
  const time = (name: 'since' | 'until') => {
    const at = parseTimestamp(request[name]!, timeZone);
    if (!at) throw new Problem('invalid', `${name} must be a valid timestamp`);
    return at;
  };
  add('store_id =', storeId);
  if (!isBlank(request.product_id)) add('product_id =', parseId(request.product_id!.trim()));
  if (!isBlank(request.warehouse_location_id)) add('location_id =', parseId(request.warehouse_location_id!.trim()));
  if (!isBlank(request.adjustment_type)) add('adjustment_type =', request.adjustment_type);
  if (!isBlank(request.since)) add('created_at >', time('since'));
  if (!isBlank(request.until)) add('created_at <=', time('until'));
  // An invalid id finds nothing, as dropping the filter would show everything (D25).
  return values.includes(undefined) || request.adjustment_type?.includes('\0') ? undefined : { conditions, values };
}
