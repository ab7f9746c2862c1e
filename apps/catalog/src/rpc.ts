/** Catalog's rpcs: rpc name → verb. */
import type { CatalogDefinition } from '@store/protos/catalog/v1.ts';
import type { VerbTable } from '@store/rpc';
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

export const verbs: VerbTable<Catalog, CatalogDefinition> = {
  ListLowStock: listLowStock,
  ListProducts: listProducts,
  GetProduct: getProduct,
  CreateProduct: createProduct,
  BulkUpsert: bulkUpsert,
  UpdateProduct: updateProduct,
  DeleteProduct: deleteProduct,
  RestoreProduct: restoreProduct,
  ListCategories: listCategories,
  CreateCategory: createCategory,
  UpdateCategory: updateCategory,
  DeleteCategory: deleteCategory,
  ListBrands: listBrands,
  CreateBrand: createBrand,
  UpdateBrand: updateBrand,
  DeleteBrand: deleteBrand,
  ListPromotions: listPromotions,
  CreatePromotion: createPromotion,
  UpdatePromotion: updatePromotion,
  DeletePromotion: deletePromotion,
  ListRevenueCenters: listRevenueCenters,
  CreateRevenueCenter: createRevenueCenter,
  UpdateRevenueCenter: updateRevenueCenter,
  DeleteRevenueCenter: deleteRevenueCenter,
  GetStockProducts: getStockProducts,
  GetSaleProducts: getSaleProducts,
  ApplyStock: applyStock,
  CreateReceivedProducts: createReceivedProducts,
  SetPrice: setPrice,
};
