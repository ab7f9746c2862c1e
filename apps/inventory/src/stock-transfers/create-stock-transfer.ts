/** POST /stock_transfers. */

import { invalid, notFound, sentences } from '@store/problem';
import type { CreateStockTransferRequest__Output } from '@store/protos/inventory/v1/CreateStockTransferRequest.ts';
import type { StockTransferResponse } from '@store/protos/inventory/v1/StockTransferResponse.ts';
import type { Call, Reply } from '@store/rpc';
import type { Inventory } from '../inventory.ts';
import { adjustTheVariation, bundleHasNoLocation, type StockProduct, stockProducts } from '../products/stock-products.ts';
import { changeStock } from '../stock-adjustments/change-stock.ts';
import { stockAdjustmentView } from '../stock-adjustments/stock-adjustment.view.ts';
import { locationNotFound, lockLocations } from '../warehouse-locations/location.query.ts';
import { acceptTransfer, type Transfer } from './transfer.input.ts';

/** Moves stock between two locations: a transfer_out row, then a transfer_in row. */
export function createStockTransfer(
  app: Inventory,
  request: CreateStockTransferRequest__Output,
  call: Call,
): Promise<StockTransferResponse | Reply<StockTransferResponse>> {
  return changeStock<{ product: StockProduct; transfer: Transfer }, StockTransferResponse>(app, call, {
    response: 'store.inventory.v1.StockTransferResponse',
    status: 201,
    prepare: () => prepare(app, request, call),
    commit: async (em, { product, transfer }, write) => {
      const locations = await lockLocations(em, call.caller.storeId, [transfer.fromId, transfer.toId]);
      const from = locations.get(transfer.fromId);
      const to = locations.get(transfer.toId);
      if (!from || !to) throw invalid([locationNotFound]);
      const { quantity, notes } = transfer;
      const { rows } = await write([
        { product, type: 'transfer_out', movement: { by: `-${quantity}` }, location: from, notes },
        { product, type: 'transfer_in', movement: { by: quantity }, location: to, notes },
      ]);
      if (rows.length === 0) throw invalid(['Quantity is too large']);
      return { stock_transfer: { stock_adjustments: rows.map((row) => stockAdjustmentView(row.adjustment)) } };
    },
  });
}

async function prepare(
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
