/** Floor A: the list of products with total_count and the same fields. */
import { ask, type Row, serveList } from './floor-list.ts';

const listQuery = `
  with p as materialized (
    select * from catalog.products where store_id = $1 and active and deleted_at is null and parent_id is null order by name, id limit $2 offset $3)
  select p.id, p.name, p.sku, p.barcode, p.description, p.option_label, p.additional_barcodes, p.product_type, p.unit_type, p.price,
    p.exclude_from_promotions, p.block_manual_discounts, p.stock, p.low_stock_threshold, p.brand_name as brand, p.package_size,
    p.has_variations, p.primary_image_url, p.active, p.created_at, p.updated_at, p.category_list as categories
  from p order by p.name, p.id`;
const countQuery = 'select count(*) as n from catalog.products where store_id = $1 and active and deleted_at is null and parent_id is null';

function product(row: Row): object {
  const { stock, categories, ...rest } = row;
  const shown = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  return {
    ...shown,
    id: Number(row.id),
    additional_barcode_codes: row.additional_barcodes.map(({ code }: { code: string }) => code),
    effective_price: row.price,
    on_sale: false,
    current_stock: Number(stock),
    in_stock: Number(stock) > 0,
    categories,
    variations: [],
  };
}

serveList(25, async (store, { number, size }) => {
  const [rows, count] = await Promise.all([ask('list', listQuery, [store, size, (number - 1) * size]), ask('count', countQuery, [store])]);
  return [rows.map(product), Number(count[0]!.n)];
});
