import { Migration } from '@mikro-orm/migrations';

/** D273: each hold is a row, so that two holders do not overwrite each other. What is held already becomes a hold of nobody. */
export class CreateCardHolds extends Migration {
  override up(): void {
    this.addSql('set local search_path to sales');
    this.addSql(`
      create table gift_card_holds (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        gift_card_id bigint not null,
        amount numeric(14, 2) not null,
        user_name text,
        created_at timestamptz(3) not null
      );
      create index gift_card_holds_of_card on gift_card_holds (store_id, gift_card_id, id);
      insert into gift_card_holds (store_id, gift_card_id, amount, created_at)
        select store_id, id, held, updated_at from gift_cards where held > 0`);
  }
}
