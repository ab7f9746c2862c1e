import { Migration } from '@mikro-orm/migrations';

/** Store credit: its ledger, and what sales took for a tender. */
export class CreateStoreCredits extends Migration {
  override up(): void {
    this.addSql('set local search_path to customers');
    this.addSql(`
      create table store_credit_transactions (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        customer_id bigint not null,
        transaction_type text not null,
        amount numeric(14,2) not null,
        balance_before numeric(14,2) not null,
        balance_after numeric(14,2) not null,
        notes text,
        sale_id bigint,
        user_id bigint,
        user_name text,
        created_at timestamptz(3) not null,
        constraint store_credit_transactions_continue check (balance_before + amount = balance_after),
        constraint store_credit_transactions_covered check (balance_after >= 0)
      );
      create index store_credit_transactions_customer on store_credit_transactions (store_id, customer_id, id);
      create table store_credit_tenders (
        store_id bigint not null,
        intent_id bigint not null,
        sale_id bigint not null,
        -- Null where credit was given back before any was taken: it is not taken any more.
        customer_id bigint,
        amount numeric(14,2) not null,
        given_back boolean not null,
        created_at timestamptz(3) not null,
        primary key (store_id, intent_id)
      );
      create index store_credit_tenders_sale on store_credit_tenders (store_id, sale_id);
      create index customers_credit on customers (store_id, id) where store_credit_balance > 0 and archived_at is null`);
  }
}
