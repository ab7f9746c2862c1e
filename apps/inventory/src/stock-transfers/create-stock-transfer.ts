import { amountField, idField, parseFields, textField, thousandths } from '@store/input';
import { invalid, missing, notFound, sentences } from '@store/problem';
import type { CreateStockTransferRequest__Output } from '@store/protos/inventory/v1.ts';
import type { Call } from '@store/rpc';
import { change } from '@store/service';
import type { Inventory, Verb } from '../inventory.ts';
import { adjustTheVariation, bundleHasNoLocation, type StockProduct, stockProducts } from '../products/stock-products.ts';
import { writeLedger } from '../stock-adjustments/ledger.ts';
import { stockAdjustmentView } from '../stock-adjustments/stock-adjustment.view.ts';
import { locationNotFound, lockLocations } from '../warehouse-locations/lock-locations.ts';

/** POST /stock_transfers: moves stock between two locations, as a transfer_out row, then a transfer_in row. */
export const createStockTransfer: Verb<'CreateStockTransfer'> = (app, request, call) =>
  change(
    app,
    call,
    async (em, { product, quantity, fromId, toId, notes }) => {
      const locations = await lockLocations(em, call.caller.storeId, [fromId, toId]);
      const from = locations.get(fromId);
      const to = locations.get(toId);
      if (!from || !to) throw invalid([locationNotFound]);
      const { rows } = await writeLedger({ em, app, call }, [
        { product, type: 'transfer_out', movement: { by: `-${quantity}` }, location: from, notes },
        { product, type: 'transfer_in', movement: { by: quantity }, location: to, notes },
      ]);
      if (rows.length === 0) throw invalid(['Quantity is too large']);
      return { stock_transfer: { stock_adjustments: rows.map((row) => stockAdjustmentView(row.adjustment)) } };
    },
    { ask: () => ask(app, request, call) },
  );

const notesMax = 1_000;
const required = { product_id: idField(), quantity: amountField(), from_location_id: idField(), to_location_id: idField() };
const fields = { ...required, notes: textField(notesMax) };

interface Transfer {
  product: StockProduct;
  quantity: string;
  fromId: number;
  toId: number;
  notes: string | null;
}

/** A body without its wrapper is a 400 (D48), an unknown product a 404; everything else that is wrong is said at once. */
async function ask(app: Inventory, request: CreateStockTransferRequest__Output, call: Call): Promise<Transfer> {
  const input = request.stock_transfer;
  const sent = input && Object.keys(fields).some((name) => Object.hasOwn(input, name));
  if (!input || (!sent && !input.malformed?.length)) throw missing('stock_transfer');
  const { values, errors } = parseFields(fields, input);
  for (const name of Object.keys(required) as (keyof typeof required)[]) {
    if (values[name] === undefined || values[name] === null) errors[name] ??= ["can't be blank"];
  }
  const { product_id, quantity, from_location_id: fromId, to_location_id: toId, notes = null } = values;
  if (quantity && thousandths(quantity) === 0n) errors.quantity = ['must be greater than 0'];
  if (fromId && fromId === toId) errors.to_location_id = ['must be another location'];
  const [product] = await stockProducts(app, call, product_id ? [product_id] : []);
  if (product_id && !product) throw notFound('Product');
  const messages = sentences(errors);
  if (product?.hasVariations) messages.push(adjustTheVariation);
  if (product?.isBundle) messages.push(bundleHasNoLocation);
  if (!product || !quantity || !fromId || !toId || messages.length > 0) throw invalid(messages);
  return { product, quantity, fromId, toId, notes };
}
