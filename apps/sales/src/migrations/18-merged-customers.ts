import { Migration } from '@mikro-orm/migrations';

/** Customers that were merged: their sales and gift cards go over. */
export class AddMergedCustomers extends Migration {
  override up(): void {
    this.addSql('alter table sales.customers add column merged_into bigint');
  }
}
