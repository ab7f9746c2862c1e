/** POST /stock_adjustments. */

import type { EntityManager } from '@store/db';
import { invalid, notFound } from '@store/problem';
import type { CreateStockAdjustmentRequest__Output } from '@store/protos/inventory/v1/CreateStockAdjustmentRequest.ts';
import type { CreateStockAdjustmentResponse } from '@store/protos/inventory/v1/CreateStockAdjustmentResponse.ts';
import type { Call, Caller, Reply } from '@store/rpc';
import type { Inventory } from '../inventory.ts';
import { adjustTheVariation, bundleHasNoLocation, type StockProduct, stockProducts } from '../products/stock-products.ts';
import { locationNotFound, lockLocations, stockSplit } from '../warehouse-locations/location.query.ts';
import { changeStock } from './change-stock.ts';
import type { Named } from './ledger-line.ts';
import { type AcceptedAdjustment, acceptAdjustment, type NewAdjustment } from './stock-adjustment.input.ts';
import { newStockAdjustmentView } from './stock-adjustment.view.ts';

/** Stores with this feature track stock by location. */
export const locationsFeature = 'stock_locations';

/** Records one adjustment; the answer leaves when catalog shows the new stock. */
export function createStockAdjustment(
  app: Inventory,
  request: CreateStockAdjustmentRequest__Output,
  call: Call,
): Promise<CreateStockAdjustmentResponse | Reply<CreateStockAdjustmentResponse>> {
  const { caller } = call;
  const tracksLocations = caller.features.has(locationsFeature);
  return changeStock<{ product: StockProduct; judged: AcceptedAdjustment }, CreateStockAdjustmentResponse>(app, call, {
    response: 'store.inventory.v1.CreateStockAdjustmentResponse',
    status: 201,
    prepare: async () => {
      const judged = acceptAdjustment(request);
      const [product] = await stockProducts(app, call, [judged.productId]);
      if (!product) throw notFound('Product');
      return { product, judged };
    },
    commit: async (em, { product, judged }, write) => {
      const { adjustment, location } = await accept(em, caller, product, judged);
      const { rows } = await write([
        {
          product,
          type: adjustment.type,
          movement: adjustment.movement,
          evidence: true,
          ...(location && { location, countsLocation: tracksLocations }),
          reason: adjustment.reason,
        },
      ]);
      const [row] = rows;
      if (!row) throw invalid(['Quantity change is too large']);
      const split = tracksLocations ? await stockSplit(em, caller.storeId, product.id) : undefined;
      return { stock_adjustment: newStockAdjustmentView(row.adjustment, split) };
    },
  });
}

/** All that is wrong, said at once. */
async function accept(
  em: EntityManager,
  caller: Caller,
  product: StockProduct,
  judged: AcceptedAdjustment,
): Promise<{ adjustment: NewAdjustment; location: Named | undefined }> {
  const { accepted } = judged;
  const errors = [...judged.errors];
  if (product.hasVariations) errors.push(adjustTheVariation);
  const locationId = accepted?.locationId ?? null;
  if (locationId !== null && product.isBundle) errors.push(bundleHasNoLocation);
  const location = locationId === null ? undefined : (await lockLocations(em, caller.storeId, [locationId])).get(locationId);
  if (locationId !== null && !location) errors.push(locationNotFound);
  if (!accepted || errors.length > 0) throw invalid(errors);
  return { adjustment: accepted, location };
}
