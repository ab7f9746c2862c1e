import { Migration } from '@mikro-orm/migrations';

/** D267: ids that other systems have for customers. */
export class AddExternalIds extends Migration {
  override up(): void {
    this.addSql('alter table customers.customers add column external_id text');
  }
}
