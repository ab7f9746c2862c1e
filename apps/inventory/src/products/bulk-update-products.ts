import { Problem } from '@store/problem';
import type { BulkUpdateProductsRequest__Output, BulkUpdateProductsResponse } from '@store/protos/inventory/v1.ts';
import type { Call } from '@store/rpc';
import { change } from '@store/service';
import type { Inventory, Verb } from '../inventory.ts';
import { writeLedger } from '../stock-adjustments/ledger.ts';
import type { LedgerLine } from '../stock-adjustments/ledger-line.ts';
import { acceptUpdates, selectedIds, sentUpdates, type Updates } from './bulk-update.input.ts';
import { adjustTheVariation, type StockProduct, stockProducts } from './stock-products.ts';

interface Asked {
  products: StockProduct[];
  updates: Updates;
  /** The old and the new price of the products whose price was set, by product id. */
  prices: Map<number, { old: string; new: string }>;
}

/** PATCH /products/bulk_update: sets prices (by catalog), stock or both; a product that fails leaves the others saved. */
export const bulkUpdateProducts: Verb<'BulkUpdateProducts'> = (app, request, call) =>
  change<BulkUpdateProductsResponse, Asked>(
    app,
    call,
    async (em, { products, updates, prices }) => {
      const failures = new Map<number, string>();
      const lines: LedgerLine[] = [];
      for (const product of products) {
        const failure = failureOf(product, updates, prices);
        if (failure !== undefined) failures.set(product.id, failure);
        else lines.push(...linesOf(product, updates, prices));
      }
      const { tooLarge } = await writeLedger({ em, app, call }, lines);
      for (const id of tooLarge) failures.set(id, 'Current stock is too large');
      return failures.size === 0 ? done(products.length) : failed(products, (product) => failures.get(product.id));
    },
    { ask: () => ask(app, request, call) },
  );

/** D1: missing parameters are a 400, then the rows are read, then values are validated. */
async function ask(app: Inventory, request: BulkUpdateProductsRequest__Output, call: Call): Promise<Asked> {
  const ids = selectedIds(request);
  const sent = sentUpdates(request);
  const products = await stockProducts(app, call, ids);
  if (products.length === 0) throw new Problem('not_found', 'No products found');
  const updates = acceptUpdates(sent);
  if (!updates) throw new Problem('invalid', 'No updates provided');
  if (updates.errors.length > 0) throw failed(products, () => updates.errors);
  return { products, updates, prices: await setPrice(app, call, products, updates.price) };
}

async function setPrice(app: Inventory, call: Call, products: StockProduct[], price: string | undefined): Promise<Asked['prices']> {
  if (price === undefined) return new Map();
  const { changes } = await app.catalog.SetPrice({ product_ids: products.map((product) => product.id), price }, call);
  return new Map(
    (changes ?? []).map((change) => [Number(change.product_id), { old: change.old_price ?? '', new: change.new_price ?? '' }]),
  );
}

/** D170: of a product with variations the price is set and the stock refused. */
function failureOf(product: StockProduct, updates: Updates, prices: Asked['prices']): string | undefined {
  if (updates.price !== undefined && !prices.has(product.id)) return 'Product not found';
  return updates.movements.length > 0 && product.hasVariations ? adjustTheVariation : undefined;
}

function linesOf(product: StockProduct, updates: Updates, prices: Asked['prices']): LedgerLine[] {
  const price = prices.get(product.id);
  // D112: the ledger event has prices only when this request changed the price.
  const changed = price && price.old !== price.new ? { prices: price } : {};
  return updates.movements.map((movement) => ({ product, movement, ...changed }));
}

function done(count: number): BulkUpdateProductsResponse {
  return { success: true, updated_count: count, message: `${count} ${count === 1 ? 'product' : 'products'} updated` };
}

/** Spec, PATCH /products/bulk_update: the unwrapped body of a request in which any product failed. */
function failed(products: StockProduct[], failureOfProduct: (product: StockProduct) => string | string[] | undefined): Problem {
  const errors = products.flatMap((product) => {
    const failure = failureOfProduct(product);
    return failure === undefined ? [] : [{ id: product.id, name: product.name, errors: [failure].flat() }];
  });
  const body = { success: false, updated_count: products.length - errors.length, total_count: products.length, errors };
  return new Problem('invalid', 'Some products could not be updated', { body });
}
