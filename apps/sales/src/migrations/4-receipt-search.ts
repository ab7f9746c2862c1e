import { Migration } from '@mikro-orm/migrations';

/** Finds sales by a part of their receipt number. */
export class CreateReceiptSearch extends Migration {
  override up(): void {
    this.addSql('set local search_path to sales, public');
    this.addSql(
      'create index sales_receipt_search on sales using gin (store_id, receipt_number public.gin_trgm_ops) with (gin_pending_list_limit = 512)',
    );
  }
}
