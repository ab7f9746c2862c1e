import { Migration } from '@mikro-orm/migrations';

/** D267: ids that other systems have for products. */
export class AddExternalIds extends Migration {
  override up(): void {
    this.addSql('alter table catalog.products add column external_id text');
  }
}
