import { Migration } from '@mikro-orm/migrations';

/** D267: ids that other systems have for sales. */
export class AddExternalIds extends Migration {
  override up(): void {
    this.addSql('alter table sales.sales add column external_id text');
  }
}
