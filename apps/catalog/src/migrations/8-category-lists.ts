import { Migration } from '@mikro-orm/migrations';

/**
 * A link between product and category keeps the product's name and whether the category's list shows it, so that an index gives
 * the list's page in its order, and each category's total is kept (docs/decisions/0126). Triggers keep both, so that every way to write keeps them.
 */
export class ListCategories extends Migration {
  override up(): void {
    this.addSql('set local search_path to catalog');
    this.addSql(`
      alter table product_categories add column name text collate "C" not null default '', add column listed boolean not null default false;
      update product_categories link set name = p.name, listed = p.active and p.deleted_at is null and p.parent_id is null
        from products p where p.id = link.product_id;
      create index product_categories_listed on product_categories (category_id, name, product_id) where listed;
      create index products_brand_listed on products (store_id, brand_id, name, id) where active and deleted_at is null and parent_id is null;
      create table category_totals (
        id bigint generated always as identity primary key,
        -- No foreign key: the last rows of a category are written while it is deleted.
        category_id bigint not null,
        added bigint not null
      );
      create index category_totals_category on category_totals (category_id) include (added);
      insert into category_totals (category_id, added) select category_id, count(*) from product_categories where listed group by category_id`);
    this.addSql(keepName);
    this.addSql(countListed);
    this.addSql(followProduct);
  }
}

/** The share lock waits for a transaction that renames or hides the product; without it the link could keep the old values. */
const keepName = `
  create function name_link() returns trigger language plpgsql as $$
  begin
    select p.name, p.active and p.deleted_at is null and p.parent_id is null into new.name, new.listed
      from catalog.products p where p.id = new.product_id for share;
    -- The foreign key refuses it.
    if not found then new.name := ''; new.listed := false; end if;
    return new;
  end $$;
  create trigger name_link before insert on product_categories for each row execute function name_link()`;

const countListed = `
  create function count_links() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      insert into catalog.category_totals (category_id, added)
        select category_id, count(*) from new_rows where listed group by category_id;
    elsif tg_op = 'DELETE' then
      insert into catalog.category_totals (category_id, added)
        select category_id, -count(*) from old_rows where listed group by category_id;
    else
      insert into catalog.category_totals (category_id, added)
        select category_id, sum(n) from (
          select category_id, 1 as n from new_rows where listed union all select category_id, -1 from old_rows where listed
        ) changed group by category_id having sum(n) <> 0;
    end if;
    return null;
  end $$;
  create trigger count_inserted after insert on product_categories referencing new table as new_rows
    for each statement execute function count_links();
  create trigger count_deleted after delete on product_categories referencing old table as old_rows
    for each statement execute function count_links();
  create trigger count_updated after update on product_categories referencing old table as old_rows new table as new_rows
    for each statement execute function count_links()`;

/** By row: over 10,000 rows at once, joining the old ones with the new took a minute where most updates change none of this. */
const followProduct = `
  create function name_links() returns trigger language plpgsql as $$
  begin
    update catalog.product_categories link
      set name = new.name, listed = new.active and new.deleted_at is null and new.parent_id is null
      where link.product_id = new.id;
    return null;
  end $$;
  create trigger name_links after update on products for each row
    when ((old.name, old.active, old.deleted_at is null, old.parent_id is null)
      is distinct from (new.name, new.active, new.deleted_at is null, new.parent_id is null))
    execute function name_links()`;
