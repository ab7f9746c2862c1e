import { Migration } from '@mikro-orm/migrations';

/** Counts failed look-ups of gift cards (D265). */
export class CreateCardMisses extends Migration {
  override up(): void {
    this.addSql('set local search_path to sales, public');
    this.addSql(
      `create table card_misses (
        store_id bigint not null,
        actor text not null,
        minute timestamptz(3) not null,
        misses int not null,
        primary key (store_id, actor)
      )`,
    );
  }
}
