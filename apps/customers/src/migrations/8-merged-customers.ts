import { Migration } from '@mikro-orm/migrations';

/** Customers that were found to be another one. */
export class AddMergedCustomers extends Migration {
  override up(): void {
    this.addSql('alter table customers.customers add column merged_into bigint');
  }
}
