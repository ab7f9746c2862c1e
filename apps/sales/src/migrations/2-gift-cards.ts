import { Migration } from '@mikro-orm/migrations';

export class CreateGiftCards extends Migration {
  override up(): void {
    this.addSql('set local search_path to sales');
    this.addSql(`
      create table gift_cards (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        card_number text not null,
        status text not null check (status in ('active', 'expired', 'redeemed', 'cancelled')),
        original_amount numeric(14, 2) not null,
        balance numeric(14, 2) not null,
        -- The part of the balance that is put aside.
        held numeric(14, 2) not null,
        customer_id bigint,
        recipient_name text,
        issued_at timestamptz(3) not null,
        expires_at timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        unique (store_id, card_number),
        check (balance >= 0 and held >= 0 and held <= balance)
      );
      create index gift_cards_active on gift_cards (store_id, id) where status = 'active';
      create index gift_cards_expiring on gift_cards (store_id, expires_at) where status = 'active' and expires_at is not null`);
    // The ledger is only ever added to.
    this.addSql(`
      create table gift_card_transactions (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        gift_card_id bigint not null references gift_cards (id),
        transaction_type text not null check (transaction_type in ('issue', 'redeem', 'refund')),
        amount numeric(14, 2) not null,
        balance_before numeric(14, 2) not null,
        balance_after numeric(14, 2) not null,
        sale_id bigint,
        user_id bigint,
        user_name text,
        created_at timestamptz(3) not null,
        check (balance_after = balance_before + amount)
      );
      create index gift_card_transactions_of_card on gift_card_transactions (store_id, gift_card_id, id);
      create index gift_card_transactions_of_sale on gift_card_transactions (store_id, sale_id) where sale_id is not null`);
  }
}
