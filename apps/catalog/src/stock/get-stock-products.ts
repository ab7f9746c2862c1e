import type { StockProductsRequest__Output } from '@store/protos/catalog/v1/StockProductsRequest.ts';
import type { StockProductsResponse } from '@store/protos/catalog/v1/StockProductsResponse.ts';
import type { Call } from '@store/rpc';
import type { Catalog } from '../catalog.ts';

interface Row {
  id: string;
  name: string;
  sku: string | null;
  product_type: string;
  has_variations: boolean;
  price: string;
}

/** What inventory, sales and purchasing need to know of products before they write about them. */
export async function getStockProducts(
  app: Catalog,
  request: StockProductsRequest__Output,
  { caller }: Call,
): Promise<StockProductsResponse> {
  const rows = await app.db.read<Row>(
    'stock_products',
    `select id, name, sku, product_type, has_variations, price from catalog.products
     where store_id = $1 and id = any ($2::bigint[]) and deleted_at is null order by id`,
    [caller.storeId, request.ids ?? []],
  );
  return { products: rows.map((row) => ({ ...row, id: Number(row.id), sku: row.sku ?? undefined })) };
}
