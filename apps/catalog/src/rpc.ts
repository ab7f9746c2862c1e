/** What catalog answers. */
import type { CatalogDefinition } from '@store/contract/gen/store/catalog/v1/Catalog.ts';
import type { Verbs } from '@store/rpc';
import type { Catalog } from './catalog.ts';
import { bulkUpsert } from './products/bulk-upsert.ts';
import { createProduct } from './products/create-product.ts';
import { deleteProduct } from './products/delete-product.ts';
import { getProduct } from './products/get-product.ts';
import { listProducts } from './products/list-products.ts';
import { restoreProduct } from './products/restore-product.ts';
import { updateProduct } from './products/update-product.ts';
import { applyStock } from './stock/apply-stock.ts';
import { getStockProducts } from './stock/get-stock-products.ts';
import { setPrice } from './stock/set-price.ts';

export function catalogVerbs(app: Catalog): Partial<Verbs<CatalogDefinition>> {
  return {
    ListProducts: (request, call) => listProducts(app, request, call),
    GetProduct: (request, call) => getProduct(app, request, call),
    CreateProduct: (request, call) => createProduct(app, request, call),
    BulkUpsert: (request, call) => bulkUpsert(app, request, call),
    UpdateProduct: (request, call) => updateProduct(app, request, call),
    DeleteProduct: (request, call) => deleteProduct(app, request, call),
    RestoreProduct: (request, call) => restoreProduct(app, request, call),
    GetStockProducts: (request, call) => getStockProducts(app, request, call),
    ApplyStock: (request, call) => applyStock(app, request, call),
    SetPrice: (request, call) => setPrice(app, request, call),
  };
}
