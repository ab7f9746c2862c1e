import { Migration } from '@mikro-orm/migrations';

/** D269: products that were made of a receipt wait for a price. */
export class AwaitPrices extends Migration {
  override up(): void {
    this.addSql('alter table catalog.products add column awaits_price boolean');
  }
}
