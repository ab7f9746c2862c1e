import { Migration } from '@mikro-orm/migrations';

/** Products are found by the exact barcode: the main one, the additional ones and those of weight presets (D253). */
export class IndexBarcodes extends Migration {
  override up(): void {
    this.addSql('set local search_path to catalog, public');
    this.addSql('create index products_barcode on products (store_id, barcode) where deleted_at is null and barcode is not null');
    this.addSql(`create index products_additional_barcodes on products
      using gin (store_id, jsonb_path_query_array(additional_barcodes, '$[*].code')) where deleted_at is null and additional_barcodes <> '[]'`);
    this.addSql('create index product_weight_presets_barcode on product_weight_presets (barcode, product_id)');
  }
}
