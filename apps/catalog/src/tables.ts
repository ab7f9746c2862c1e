/** The catalogue's tables: the entities that declare them, and typed statements over them. */
import { tablesOf } from '@store/db';
import { StoreCopy } from '@store/service';
import { Brand } from './brands/brand.ts';
import { Category, CategoryRevenueCenter } from './categories/category.ts';
import { CategoryTotal, Product, ProductCategory, ProductRevenueCenter, ProductTotal, WeightPreset } from './products/product.ts';
import { Promotion, PromotionProduct } from './promotions/promotion.ts';
import { LineProduct, ReceivedLine } from './receipts/received-line.ts';
import { RevenueCenter } from './revenue-centers/revenue-center.ts';

export const entities = [
  StoreCopy,
  Brand,
  RevenueCenter,
  Category,
  CategoryRevenueCenter,
  Product,
  WeightPreset,
  ProductCategory,
  ProductRevenueCenter,
  ProductTotal,
  CategoryTotal,
  Promotion,
  PromotionProduct,
  ReceivedLine,
  LineProduct,
];

export const tables = tablesOf<(typeof entities)[number]>('catalog');
