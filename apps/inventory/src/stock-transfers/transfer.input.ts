/** Validates the input of POST /stock_transfers. */

import { amountField, type FieldErrors, idField, parseFields, textField } from '@store/input';
import { missing } from '@store/problem';
import type { StockTransferInput__Output } from '@store/protos/inventory/v1.ts';
import { thousandths } from '../stock-adjustments/movement.ts';

const notesMax = 1_000;

const fields = {
  product_id: idField(),
  quantity: amountField(),
  from_location_id: idField(),
  to_location_id: idField(),
  notes: textField(notesMax),
};

export interface Transfer {
  productId: number;
  quantity: string;
  fromId: number;
  toId: number;
  notes: string | null;
}

export interface AcceptedTransfer {
  productId: number | undefined;
  accepted: Transfer | undefined;
  errors: FieldErrors;
}

/** A body without its wrapper is a 400 (D48). */
export function acceptTransfer(input: StockTransferInput__Output | null | undefined): AcceptedTransfer {
  const sent = input && Object.keys(fields).some((name) => Object.hasOwn(input, name));
  if (!input || (!sent && !input.malformed?.length)) throw missing('stock_transfer');
  const { values, errors } = parseFields(fields, input);
  for (const name of ['product_id', 'quantity', 'from_location_id', 'to_location_id'] as const) {
    if (values[name] === undefined || values[name] === null) errors[name] ??= ["can't be blank"];
  }
  const { product_id, quantity, from_location_id, to_location_id, notes = null } = values;
  if (quantity && thousandths(quantity) === 0n) errors.quantity = ['must be greater than 0'];
  if (from_location_id && from_location_id === to_location_id) errors.to_location_id = ['must be another location'];
  const productId = product_id ?? undefined;
  if (Object.keys(errors).length > 0 || !productId || !quantity || !from_location_id || !to_location_id) {
    return { productId, accepted: undefined, errors };
  }
  return { productId, accepted: { productId, quantity, fromId: from_location_id, toId: to_location_id, notes }, errors };
}
