import { Migration } from '@mikro-orm/migrations';
import { idempotencyTable, runningTotalsTable } from '@store/db';
import { eventTables } from '@store/events';
import { storesTable } from '@store/service';

/** The tables of sales. Every one of them has store_id, and every query filters on it. */
export class CreateSales extends Migration {
  override up(): void {
    this.addSql('set local search_path to sales');
    this.addSql(storesTable);
    this.addSql(runningTotalsTable);
    this.addSql(idempotencyTable);
    this.addSql(eventTables);
    this.addSql(`
      create table sales (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        receipt_number text not null,
        status text not null check (status in ('pending', 'ready', 'completed', 'voided')),
        source text not null,
        sale_type text not null,
        payment_method text,
        customer_id bigint,
        clerk_id bigint,
        clerk_name text,
        subtotal numeric(14, 2) not null,
        discount_amount numeric(14, 2) not null,
        sale_discount numeric(14, 2) not null,
        tax_rates jsonb not null,
        tax_amount numeric(14, 2) not null,
        total numeric(14, 2) not null,
        green_echeck_surcharge numeric(14, 2),
        green_echeck_total_paid numeric(14, 2),
        fulfillment_method text not null,
        fulfillment_status text not null check (fulfillment_status in ('open', 'fulfilled')),
        cash_drawer_session_id bigint,
        completed_at timestamptz(3),
        voided_at timestamptz(3),
        void_reason text,
        listed_at timestamptz(3) not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        unique (store_id, receipt_number),
        constraint sales_listed_at_check check (listed_at = coalesce(completed_at, created_at))
      );
      create index sales_listed on sales (store_id, listed_at desc, created_at desc, id desc);
      create index sales_awaited on sales (store_id, created_at desc, id desc)
        where status = 'pending' or (status <> 'voided' and fulfillment_status = 'open');
      create index sales_of_customer on sales (store_id, customer_id, created_at desc, id desc) where customer_id is not null;
      create index sales_recent on sales (store_id, customer_id, completed_at desc, id desc) where status = 'completed';
      create index sales_of_drawer on sales (store_id, cash_drawer_session_id, created_at desc, id desc)
        where cash_drawer_session_id is not null`);
    // No foreign keys among these: one statement writes a sale with its lines and payments, and none is ever deleted alone.
    this.addSql(`
      create table sale_line_items (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        sale_id bigint not null,
        position int not null,
        product_id bigint not null,
        product_name text not null,
        sku text,
        quantity numeric(14, 3) not null,
        unit_price numeric(14, 2) not null,
        discount_amount numeric(14, 2) not null,
        total numeric(14, 2) not null,
        cost numeric(14, 2),
        discount_blocked boolean not null default false,
        bundle boolean not null default false,
        kitchen_item boolean not null,
        modifiers jsonb not null default '[]',
        note text,
        unique (store_id, sale_id, position)
      );
      create table sale_payments (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        sale_id bigint not null,
        position int not null,
        method text not null
          check (method in ('cash', 'debit', 'credit', 'e_transfer', 'gift_card', 'store_credit', 'green_echeck')),
        amount numeric(14, 2) not null,
        card_number text,
        unique (store_id, sale_id, position)
      )`);
    this.addSql(`
      create table cash_drawer_sessions (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        clerk_id bigint not null,
        clerk_name text not null,
        opening_float numeric(14, 2) not null,
        expected numeric(14, 2),
        counted numeric(14, 2),
        closed_at timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      );
      create unique index cash_drawer_sessions_open on cash_drawer_sessions (store_id, clerk_id) where closed_at is null;
      create index cash_drawer_sessions_newest on cash_drawer_sessions (store_id, created_at desc, id desc)`);
    this.addSql(`
      create table receipt_number_blocks (
        store_id bigint primary key,
        next bigint not null
      );
      create table store_credit_intents (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        sale_id bigint not null,
        customer_id bigint not null,
        amount numeric(14, 2) not null,
        giving_back boolean not null default false,
        created_at timestamptz(3) not null
      );
      create index store_credit_intents_store on store_credit_intents (store_id, id)`);
  }
}
