import { Migration } from '@mikro-orm/migrations';

/** D273: balances are corrected by hand, with a reason. Rows that are there satisfy the wider check, so none is read. */
export class AdjustCards extends Migration {
  override up(): void {
    this.addSql('set local search_path to sales');
    this.addSql(`
      alter table gift_card_transactions
        add column reason text,
        drop constraint gift_card_transactions_transaction_type_check,
        add constraint gift_card_transactions_transaction_type_check
          check (transaction_type in ('issue', 'redeem', 'refund', 'adjust')) not valid`);
  }
}
