import type { EntityManager } from '@store/db';
import { invalid, notFound } from '@store/problem';
import type { CreateStockAdjustmentRequest__Output } from '@store/protos/inventory/v1.ts';
import type { Call } from '@store/rpc';
import { change } from '@store/service';
import type { Inventory, Verb } from '../inventory.ts';
import { adjustTheVariation, bundleHasNoLocation, type StockProduct, stockProducts } from '../products/stock-products.ts';
import { locationNotFound, lockLocations } from '../warehouse-locations/lock-locations.ts';
import { writeLedger } from './ledger.ts';
import type { Named } from './ledger-line.ts';
import { type AcceptedAdjustment, acceptAdjustment, type NewAdjustment } from './stock-adjustment.input.ts';
import { newStockAdjustmentView } from './stock-adjustment.view.ts';
import { stockSplit } from './stock-split.ts';

/** Stores with this feature track stock by location. */
export const locationsFeature = 'stock_locations';

/** POST /stock_adjustments: records one adjustment. */
export const createStockAdjustment: Verb<'CreateStockAdjustment'> = (app, request, call) => {
  const { caller } = call;
  const tracksLocations = caller.features.has(locationsFeature);
  return change(
    app,
    call,
    async (em, asked) => {
      const { product } = asked;
      const { adjustment, location } = await accept(em, caller.storeId, asked);
      const { type, movement, reason } = adjustment;
      const at = location && { location, countsLocation: tracksLocations };
      const { rows } = await writeLedger({ em, app, call }, [{ product, type, movement, evidence: true, ...at, reason }]);
      const [row] = rows;
      if (!row) throw invalid(['Quantity change is too large']);
      const split = tracksLocations ? await stockSplit(em, caller.storeId, product.id) : undefined;
      return { stock_adjustment: newStockAdjustmentView(row.adjustment, split) };
    },
    { ask: () => ask(app, request, call) },
  );
};

interface Asked {
  product: StockProduct;
  sent: AcceptedAdjustment;
}

async function ask(app: Inventory, request: CreateStockAdjustmentRequest__Output, call: Call): Promise<Asked> {
  const sent = acceptAdjustment(request);
  const [product] = await stockProducts(app, call, [sent.productId]);
  if (!product) throw notFound('Product');
  return { product, sent };
}

/** Everything that is wrong, in one answer. */
async function accept(
  em: EntityManager,
  storeId: number,
  { product, sent }: Asked,
): Promise<{ adjustment: NewAdjustment; location: Named | undefined }> {
  const { accepted } = sent;
  const errors = [...sent.errors];
  if (product.hasVariations) errors.push(adjustTheVariation);
  const locationId = accepted?.locationId ?? null;
  if (locationId !== null && product.isBundle) errors.push(bundleHasNoLocation);
  const location = locationId === null ? undefined : (await lockLocations(em, storeId, [locationId])).get(locationId);
  if (locationId !== null && !location) errors.push(locationNotFound);
  if (!accepted || errors.length > 0) throw invalid(errors);
  return { adjustment: accepted, location };
}
