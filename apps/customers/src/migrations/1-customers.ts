import { Migration } from '@mikro-orm/migrations';
import { addExtensions, idempotencyTable, runningTotalsTable } from '@store/db';
import { eventTables } from '@store/events';
import { storesTable } from '@store/service';

/** The tables of customers. Every one of them has store_id, and every query filters on it. */
export class CreateCustomers extends Migration {
  override up(): void {
    this.addSql('set local search_path to customers, public');
    this.addSql(addExtensions);
    this.addSql(storesTable);
    this.addSql(runningTotalsTable);
    this.addSql(idempotencyTable);
    this.addSql(eventTables);
    this.addSql(`
      create table customers (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        name text not null,
        email text,
        phone text,
        customer_code text not null,
        loyalty_card_number text,
        email_receipt_opt_in boolean not null default false,
        date_of_birth date,
        notes text,
        address_line1 text,
        address_line2 text,
        city text,
        province text,
        postal_code text,
        country text,
        loyalty_tier_id bigint,
        loyalty_tier text,
        loyalty_points bigint not null default 0,
        lifetime_spend numeric(14,2) not null default 0,
        visit_count int not null default 0,
        store_credit_balance numeric(14,2) not null default 0,
        email_key text,
        phone_digits text,
        search_text text not null default '',
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        archived_at timestamptz(3)
      );
      create unique index customers_code on customers (store_id, customer_code);
      create unique index customers_card on customers (store_id, loyalty_card_number)
        where archived_at is null and loyalty_card_number is not null;
      create index customers_listed on customers (store_id, updated_at, id) where archived_at is null;
      create index customers_email on customers (store_id, email_key) where archived_at is null and email_key is not null;
      create index customers_phone on customers (store_id, phone_digits) where archived_at is null and phone_digits is not null;
      -- A short pending list: every search reads it row by row.
      create index customers_search on customers
        using gin (store_id, search_text public.gin_trgm_ops, phone_digits public.gin_trgm_ops)
        with (gin_pending_list_limit = 512) where archived_at is null;
      create table customer_codes (
        store_id bigint primary key,
        allocated int not null
      );
      -- What a sale added to its customer, so that its void takes exactly that back, once.
      create table customer_sales (
        store_id bigint not null,
        sale_id bigint not null,
        customer_id bigint not null,
        spend numeric(14,2) not null,
        visits int not null,
        voided boolean not null,
        created_at timestamptz(3) not null,
        primary key (store_id, sale_id)
      )`);
  }
}
