import { Migration } from '@mikro-orm/migrations';
import { addExtensions } from '@store/db';

/** The copy of customers, with what a search of sales finds them by. */
export class CreateCustomers extends Migration {
  override up(): void {
    this.addSql('set local search_path to sales, public');
    this.addSql(addExtensions);
    this.addSql(`
      create table customers (
        store_id bigint not null,
        id bigint not null,
        name text not null,
        customer_code text,
        email text,
        phone text,
        archived boolean not null,
        -- Name, e-mail and phone in lower case.
        search_text text not null,
        phone_digits text not null,
        -- Of the event that it is a copy of: an older one does not come back.
        version bigint not null default 0,
        primary key (store_id, id)
      );
      create index customers_search on customers using gin (store_id, search_text public.gin_trgm_ops) with (gin_pending_list_limit = 512);
      create index customers_phone on customers using gin (store_id, phone_digits public.gin_trgm_ops) with (gin_pending_list_limit = 512)`);
  }
}
