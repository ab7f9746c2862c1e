import { Migration } from '@mikro-orm/migrations';

/** Every table has a primary key; a promotion's column says what it holds in the project's words. */
export class NameAnnounced extends Migration {
  override up(): void {
    this.addSql('set local search_path to catalog');
    this.addSql('alter table product_totals add column id bigint generated always as identity primary key');
    this.addSql('alter table promotions rename column told_running to announced_running');
  }
}
