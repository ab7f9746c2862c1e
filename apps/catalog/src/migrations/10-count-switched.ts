import { Migration } from '@mikro-orm/migrations';

/**
 * Few updates change whether the list shows a product, and most change its stock. A trigger by row asks that before it is called; one by
 * statement kept all old and new rows of every update to find out.
 */
export class CountSwitched extends Migration {
  override up(): void {
    this.addSql('set local search_path to catalog');
    this.addSql(`
      create function count_switched() returns trigger language plpgsql as $$
      begin
        insert into catalog.product_totals (store_id, delta) values (new.store_id, case when ${listed('new')} then 1 else -1 end);
        return null;
      end $$;
      drop trigger count_updated on products;
      create trigger count_updated after update on products for each row
        when ((${listed('old')}) <> (${listed('new')})) execute function count_switched()`);
  }
}

const listed = (row: 'old' | 'new') => `${row}.active and ${row}.deleted_at is null and ${row}.parent_id is null`;
