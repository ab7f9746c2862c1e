import { Migration } from '@mikro-orm/migrations';

/** Every table has a primary key, as an entity declares it. The table has few rows at any time. */
export class AddCountKey extends Migration {
  override up(): void {
    this.addSql('alter table inventory.stock_adjustment_counts add column id bigint generated always as identity primary key');
  }
}
