/** Catalog's rpcs: rpc name → verb. */
import type { CatalogDefinition } from '@store/protos/catalog/v1/Catalog.ts';
import type { Verbs } from '@store/rpc';
import { createBrand } from './brands/create-brand.ts';
import { deleteBrand } from './brands/delete-brand.ts';
import { listBrands } from './brands/list-brands.ts';
import { updateBrand } from './brands/update-brand.ts';
import type { Catalog } from './catalog.ts';
import { createCategory } from './categories/create-category.ts';
import { deleteCategory } from './categories/delete-category.ts';
import { listCategories } from './categories/list-categories.ts';
import { updateCategory } from './categories/update-category.ts';
import { bulkUpsert } from './products/bulk-upsert.ts';
import { createProduct } from './products/create-product.ts';
import { deleteProduct } from './products/delete-product.ts';
import { getProduct } from './products/get-product.ts';
import { getSaleProducts } from './products/get-sale-products.ts';
import { listLowStock } from './products/list-low-stock.ts';
import { listProducts } from './products/list-products.ts';
import { restoreProduct } from './products/restore-product.ts';
import { updateProduct } from './products/update-product.ts';
import { createPromotion } from './promotions/create-promotion.ts';
import { deletePromotion } from './promotions/delete-promotion.ts';
import { listPromotions } from './promotions/list-promotions.ts';
import { updatePromotion } from './promotions/update-promotion.ts';
import { createReceivedProducts } from './receipts/create-received-products.ts';
import { createRevenueCenter } from './revenue-centers/create-revenue-center.ts';
import { deleteRevenueCenter } from './revenue-centers/delete-revenue-center.ts';
import { listRevenueCenters } from './revenue-centers/list-revenue-centers.ts';
import { updateRevenueCenter } from './revenue-centers/update-revenue-center.ts';
import { applyStock } from './stock/apply-stock.ts';
import { getStockProducts } from './stock/get-stock-products.ts';
import { setPrice } from './stock/set-price.ts';

export function catalogVerbs(app: Catalog): Verbs<CatalogDefinition> {
  return {
    ListLowStock: (request, call) => listLowStock(app, request, call),
    ListProducts: (request, call) => listProducts(app, request, call),
    GetProduct: (request, call) => getProduct(app, request, call),
    CreateProduct: (request, call) => createProduct(app, request, call),
    BulkUpsert: (request, call) => bulkUpsert(app, request, call),
    UpdateProduct: (request, call) => updateProduct(app, request, call),
    DeleteProduct: (request, call) => deleteProduct(app, request, call),
    RestoreProduct: (request, call) => restoreProduct(app, request, call),
    ListCategories: (request, call) => listCategories(app, request, call),
    CreateCategory: (request, call) => createCategory(app, request, call),
    UpdateCategory: (request, call) => updateCategory(app, request, call),
    DeleteCategory: (request, call) => deleteCategory(app, request, call),
    ListBrands: (request, call) => listBrands(app, request, call),
    CreateBrand: (request, call) => createBrand(app, request, call),
    UpdateBrand: (request, call) => updateBrand(app, request, call),
    DeleteBrand: (request, call) => deleteBrand(app, request, call),
    ListPromotions: (request, call) => listPromotions(app, request, call),
    CreatePromotion: (request, call) => createPromotion(app, request, call),
    UpdatePromotion: (request, call) => updatePromotion(app, request, call),
    DeletePromotion: (request, call) => deletePromotion(app, request, call),
    ListRevenueCenters: (request, call) => listRevenueCenters(app, request, call),
    CreateRevenueCenter: (request, call) => createRevenueCenter(app, request, call),
    UpdateRevenueCenter: (request, call) => updateRevenueCenter(app, request, call),
    DeleteRevenueCenter: (request, call) => deleteRevenueCenter(app, request, call),
    GetStockProducts: (request, call) => getStockProducts(app, request, call),
    GetSaleProducts: (request, call) => getSaleProducts(app, request, call),
    ApplyStock: (request, call) => applyStock(app, request, call),
    CreateReceivedProducts: (request, call) => createReceivedProducts(app, request, call),
    SetPrice: (request, call) => setPrice(app, request, call),
  };
}
