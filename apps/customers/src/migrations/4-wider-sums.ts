import { Migration } from '@mikro-orm/migrations';

/** Sums of many amounts outgrow the column of one; more digits before the point rewrite no row. */
export class WidenSums extends Migration {
  override up(): void {
    this.addSql('set local search_path to customers');
    this.addSql(`
      alter table customers
        alter column lifetime_spend type numeric(20,2),
        alter column store_credit_balance type numeric(20,2);
      alter table store_credit_transactions
        alter column balance_before type numeric(20,2),
        alter column balance_after type numeric(20,2)`);
  }
}
