import { Migration } from '@mikro-orm/migrations';
import { idempotencyTable, runningTotalsTable } from '@store/db';
import { eventTables } from '@store/events';

/** The tables of purchasing. Every one of them has store_id, and every query filters on it. */
export class CreatePurchasing extends Migration {
  override up(): void {
    this.addSql('set local search_path to purchasing');
    this.addSql(runningTotalsTable);
    this.addSql(idempotencyTable);
    this.addSql(eventTables);
    this.addSql(`
      create table suppliers (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        name text not null collate "C",
        email text,
        phone text,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      );
      create index suppliers_by_name on suppliers (store_id, name, id);
      create table order_number_blocks (
        store_id bigint primary key,
        next bigint not null
      )`);
    this.addSql(`
      create table purchase_orders (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        order_number text not null,
        status text not null check (status in ('pending', 'confirmed', 'shipped', 'partially_received', 'received', 'cancelled')),
        supplier_id bigint,
        subtotal numeric(14, 2) not null,
        tax_amount numeric(14, 2) not null,
        shipping_cost numeric(14, 2) not null,
        total numeric(14, 2) not null,
        ordered_at timestamptz(3),
        received_at timestamptz(3),
        -- Kept with every change of a line, so that the list finds and counts such orders by an index.
        has_variance boolean not null,
        -- Receipts and corrections so far: each has its number, by which other services count it once.
        receipt_count int not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        unique (store_id, order_number)
      );
      create index purchase_orders_newest on purchase_orders (store_id, created_at desc, id desc);
      create index purchase_orders_of_status on purchase_orders (store_id, status, created_at desc, id desc);
      create index purchase_orders_of_supplier on purchase_orders (store_id, supplier_id, created_at desc, id desc)
        where supplier_id is not null;
      create index purchase_orders_with_variance on purchase_orders (store_id, created_at desc, id desc) where has_variance;
      create index purchase_orders_updated on purchase_orders (store_id, updated_at)`);
    // No foreign keys among these: one statement writes the lines of an order, and none is ever deleted.
    this.addSql(`
      create table purchase_order_lines (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        order_id bigint not null,
        position int not null,
        product_id bigint,
        -- Of the product when it was ordered or matched; as it was sent for a line without one.
        product_name text,
        sku text,
        unit_type text not null,
        -- Of the product: a bundle lies at no location.
        bundle boolean not null,
        quantity_ordered numeric(14, 3) not null,
        quantity_received numeric(14, 3) not null,
        quantity_invoiced numeric(14, 3),
        unit_price numeric(14, 2),
        unit_cost_invoiced numeric(14, 2),
        match_status text not null check (match_status in ('matched', 'unmatched', 'create_new')),
        supplier_document_id bigint,
        -- When something of it last arrived.
        received_at timestamptz(3),
        unique (store_id, order_id, position)
      );
      create table supplier_documents (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        order_id bigint not null,
        document_type text not null check (document_type in ('invoice')),
        user_id bigint,
        user_name text,
        created_at timestamptz(3) not null
      );
      create index supplier_documents_of_order on supplier_documents (store_id, order_id)`);
  }
}
