import { Migration } from '@mikro-orm/migrations';
import { idempotencyTable } from '@store/db';
import { eventTables } from '@store/events';

/** Inventory's tables. Every one of them has store_id, and every query filters on it. */
export class CreateInventory extends Migration {
  override up(): void {
    this.addSql('set local search_path to inventory');
    this.addSql(`
      create table stock_items (
        store_id bigint not null,
        product_id bigint not null,
        quantity numeric(14, 3) not null,
        -- One higher with every ledger row: catalog applies a level only when it is newer than its copy.
        version bigint not null,
        -- When the product's last ledger row was written.
        changed_at timestamptz(3) not null,
        primary key (store_id, product_id)
      ) with (fillfactor = 70)`);
    this.addSql(`
      create table warehouse_locations (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        name text not null,
        kind text not null check (kind in ('floor', 'back')),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        unique (store_id, name)
      );
      -- The part of a product's stock that lies at a location; what lies at none is in stock_items alone.
      create table location_stock (
        store_id bigint not null,
        product_id bigint not null,
        location_id bigint not null references warehouse_locations (id),
        quantity numeric(14, 3) not null,
        primary key (store_id, product_id, location_id)
      );
      create index location_stock_location on location_stock (location_id)`);
    this.addSql(`
      create table stock_reconciliations (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        location_id bigint,
        notes text,
        user_id bigint,
        user_name text,
        approved_by_id bigint,
        approved_by_name text,
        created_at timestamptz(3) not null
      )`);
    // The ledger is only ever added to. Names are kept as they were when the row was written.
    this.addSql(`
      create table stock_adjustments (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        product_id bigint not null,
        product_name text not null,
        sku text,
        adjustment_type text not null,
        quantity_change numeric(14, 3) not null,
        quantity_before numeric(14, 3) not null,
        quantity_after numeric(14, 3) not null,
        reason text,
        notes text,
        user_id bigint,
        user_name text,
        approved_by_id bigint,
        approved_by_name text,
        location_id bigint,
        location_name text,
        reconciliation_id bigint references stock_reconciliations (id),
        created_at timestamptz(3) not null,
        check (quantity_after = quantity_before + quantity_change)
      );
      create index stock_adjustments_newest on stock_adjustments (store_id, created_at desc, id desc);
      create index stock_adjustments_of_product on stock_adjustments (store_id, product_id, created_at desc, id desc);
      create index stock_adjustments_of_type on stock_adjustments (store_id, adjustment_type, created_at desc, id desc);
      create index stock_adjustments_at_location on stock_adjustments (store_id, location_id, created_at desc, id desc)
        where location_id is not null`);
    // D111: one transaction per ledger row, numbered by itself. The numbers start far from the
    // ledger's, so that confusing the two fails at once.
    this.addSql(`
      create table inventory_transactions (
        id bigint generated always as identity (start with 500001) primary key,
        store_id bigint not null,
        adjustment_id bigint not null unique references stock_adjustments (id),
        source text not null check (source in ('api', 'register', 'admin', 'purchase_order', 'system')),
        old_price numeric(14, 2),
        new_price numeric(14, 2)
      )`);
    // D192: the ledger's total per store is the sum of these few rows. Every write adds one and
    // housekeeping adds them up, so that no row is written by all.
    this.addSql(`
      create table stock_adjustment_counts (
        store_id bigint not null,
        added bigint not null
      );
      create index stock_adjustment_counts_store on stock_adjustment_counts (store_id) include (added)`);
    // The gateway's staff by name, for who approved a count; fed by its events.
    this.addSql(`
      create table staff_users (
        store_id bigint not null,
        id bigint not null,
        name text not null,
        primary key (store_id, id)
      )`);
    this.addSql(eventTables);
    this.addSql(idempotencyTable);
  }
}
