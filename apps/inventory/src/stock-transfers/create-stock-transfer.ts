/** POST /stock_transfers. */

import { invalid, notFound, sentences } from '@store/problem';
import type { CreateStockTransferRequest__Output } from '@store/protos/inventory/v1.ts';
import type { Call } from '@store/rpc';
import { change } from '@store/service';
import type { Inventory, Verb } from '../inventory.ts';
import { adjustTheVariation, bundleHasNoLocation, type StockProduct, stockProducts } from '../products/stock-products.ts';
import { writeLedger } from '../stock-adjustments/ledger.ts';
import { stockAdjustmentView } from '../stock-adjustments/stock-adjustment.view.ts';
import { locationNotFound, lockLocations } from '../warehouse-locations/lock-locations.ts';
import { acceptTransfer, type Transfer } from './transfer.input.ts';

/** Moves stock between two locations: a transfer_out row, then a transfer_in row. */
export const createStockTransfer: Verb<'CreateStockTransfer'> = (app, request, call) =>
  change(
    app,
    call,
    async (em, { product, transfer }) => {
      const locations = await lockLocations(em, call.caller.storeId, [transfer.fromId, transfer.toId]);
      const from = locations.get(transfer.fromId);
      const to = locations.get(transfer.toId);
      if (!from || !to) throw invalid([locationNotFound]);
      const { quantity, notes } = transfer;
      const { rows } = await writeLedger({ em, app, call }, [
        { product, type: 'transfer_out', movement: { by: `-${quantity}` }, location: from, notes },
        { product, type: 'transfer_in', movement: { by: quantity }, location: to, notes },
      ]);
      if (rows.length === 0) throw invalid(['Quantity is too large']);
      return { stock_transfer: { stock_adjustments: rows.map((row) => stockAdjustmentView(row.adjustment)) } };
    },
    { ask: () => ask(app, request, call) },
  );

async function ask(
  app: Inventory,
  request: CreateStockTransferRequest__Output,
  call: Call,
): Promise<{ product: StockProduct; transfer: Transfer }> {
  const { productId, accepted, errors } = acceptTransfer(request.stock_transfer);
  const [product] = await stockProducts(app, call, productId === undefined ? [] : [productId]);
  if (productId !== undefined && !product) throw notFound('Product');
  const messages = sentences(errors);
  if (product?.hasVariations) messages.push(adjustTheVariation);
  if (product?.isBundle) messages.push(bundleHasNoLocation);
  if (!product || !accepted || messages.length > 0) throw invalid(messages);
  return { product, transfer: accepted };
}
