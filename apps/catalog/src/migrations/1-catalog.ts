import { Migration } from '@mikro-orm/migrations';
import { addExtensions, idempotencyTable } from '@store/db';
import { eventTables } from '@store/events';

/** The catalogue's tables. Every one of them has store_id, and every query filters on it. */
export class CreateCatalog extends Migration {
  override up(): void {
    this.addSql('set local search_path to catalog, public');
    this.addSql(addExtensions);
    this.addSql(`
      -- The gateway's word on stores, for work that has no request (D184).
      create table stores (
        id bigint primary key,
        time_zone text not null,
        features text[] not null
      );
      create table brands (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        name text not null,
        description text,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        unique (store_id, name)
      );
      create table categories (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        parent_id bigint references categories (id),
        -- From the top-level category down, without the category itself.
        ancestor_ids bigint[] not null default '{}',
        name text not null,
        slug text not null check (slug not like '%:%'),
        icon text,
        icon_url text,
        color text,
        position int not null default 0,
        store_type text,
        age_restricted boolean not null default false,
        active boolean not null default true,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        unique (store_id, slug)
      );
      create index categories_parent on categories (parent_id);
      create table revenue_centers (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        name text not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        unique (store_id, name)
      );
      create table category_revenue_centers (
        category_id bigint not null references categories (id) on delete cascade,
        revenue_center_id bigint not null references revenue_centers (id) on delete cascade,
        primary key (category_id, revenue_center_id)
      );
      create index category_revenue_centers_center on category_revenue_centers (revenue_center_id)`);
    this.addSql(`
      create table products (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        parent_id bigint references products (id),
        name text not null collate "C",
        sku text,
        barcode text,
        description text,
        option_label text,
        menu_display_name text,
        price numeric(14,2) not null default 0,
        cost numeric(14,2),
        average_cost numeric(14,2),
        wholesale_price numeric(14,2),
        wholesale_enabled boolean not null default false,
        product_type text not null default 'simple',
        unit_type text not null default 'unit',
        product_format text,
        brand_id bigint references brands (id) on delete set null,
        active boolean not null default true,
        package_size text,
        pack_quantity numeric(14,3),
        box_quantity numeric(14,3),
        low_stock_threshold numeric(14,3),
        reorder_point numeric(14,3),
        supplier_name text,
        lot_number text,
        expiry_date date,
        is_cannabis_product boolean not null default false,
        strain_type text,
        thc_content text,
        cbd_content text,
        equivalent_grams numeric(14,3),
        primary_image_url text,
        exclude_from_promotions boolean not null default false,
        block_manual_discounts boolean not null default false,
        has_variations boolean not null default false,
        additional_barcodes jsonb not null default '[]',
        -- Inventory's word, applied only where its version is newer.
        stock numeric(14,3) not null default 0,
        stock_version bigint not null default 0,
        -- Lower-cased name, sku, barcode, preset barcodes and brand name: what search reads.
        search_text text not null default '',
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        deleted_at timestamptz(3)
      );
      create unique index products_sku on products (store_id, sku) where deleted_at is null and sku is not null;
      create index products_listed on products (store_id, name, id) where active and deleted_at is null and parent_id is null;
      create index products_parent on products (parent_id) where parent_id is not null;
      -- Whole, as a variation that was deleted or switched off is a change of its parent.
      create index products_updated on products (store_id, updated_at);
      create index products_brand on products (brand_id) where brand_id is not null;
      -- A short pending list: every search reads it row by row, and a long one makes the planner read the table instead.
      create index products_search on products using gin (store_id, search_text public.gin_trgm_ops) with (gin_pending_list_limit = 512) where active and deleted_at is null;
      create table product_weight_presets (
        id bigint generated always as identity primary key,
        product_id bigint not null references products (id) on delete cascade,
        weight numeric(14,3) not null,
        label text,
        barcode text not null,
        price numeric(14,2)
      );
      create index product_weight_presets_product on product_weight_presets (product_id);
      create table product_categories (
        product_id bigint not null references products (id) on delete cascade,
        category_id bigint not null references categories (id) on delete cascade,
        primary key (product_id, category_id)
      );
      create index product_categories_category on product_categories (category_id, product_id);
      create table product_revenue_centers (
        product_id bigint not null references products (id) on delete cascade,
        revenue_center_id bigint not null references revenue_centers (id) on delete cascade,
        primary key (product_id, revenue_center_id)
      );
      create index product_revenue_centers_center on product_revenue_centers (revenue_center_id)`);
    this.addSql(`
      create table promotions (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        name text not null,
        discount_type text not null,
        value numeric(14,2) not null,
        category_id bigint references categories (id) on delete cascade,
        starts_at timestamptz(3),
        ends_at timestamptz(3),
        -- Whether its products were told that it runs; a sweep looks for those whose time came or went.
        told_running boolean not null default false,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      );
      create index promotions_store on promotions (store_id);
      create table promotion_products (
        promotion_id bigint not null references promotions (id) on delete cascade,
        product_id bigint not null references products (id) on delete cascade,
        primary key (promotion_id, product_id)
      );
      create index promotion_products_product on promotion_products (product_id)`);
    // total_count of the unfiltered list is kept (D192): each statement appends what it
    // changed, so that writers never wait for one another on a counter; housekeeping folds the rows.
    this.addSql(`
      create table product_totals (store_id bigint not null, delta bigint not null);
      create index product_totals_store on product_totals (store_id) include (delta);
      create function count_listed() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          insert into catalog.product_totals
            select store_id, count(*) from new_rows where active and deleted_at is null and parent_id is null group by store_id;
        elsif tg_op = 'DELETE' then
          insert into catalog.product_totals
            select store_id, -count(*) from old_rows where active and deleted_at is null and parent_id is null group by store_id;
        else
          insert into catalog.product_totals
            select store_id, sum(n) from (
              select store_id, 1 as n from new_rows where active and deleted_at is null and parent_id is null
              union all
              select store_id, -1 from old_rows where active and deleted_at is null and parent_id is null
            ) changed group by store_id having sum(n) <> 0;
        end if;
        return null;
      end $$;
      create trigger count_inserted after insert on products referencing new table as new_rows for each statement execute function count_listed();
      create trigger count_deleted after delete on products referencing old table as old_rows for each statement execute function count_listed();
      create trigger count_updated after update on products referencing old table as old_rows new table as new_rows for each statement execute function count_listed()`);
    this.addSql(eventTables);
    this.addSql(idempotencyTable);
  }
}
