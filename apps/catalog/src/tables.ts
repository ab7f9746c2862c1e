/** The catalogue's tables: the entities that declare them, and typed statements over them. */
import { type BackgroundOf, tablesOf } from '@store/db';
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

export const background: BackgroundOf<(typeof entities)[number]> = {
  product_totals: { writes: 'all' },
  category_totals: { writes: 'all' },
  promotions: { due: 'announced_running <> ((starts_at is null or starts_at <= $1) and (ends_at is null or ends_at > $1))' },
};
