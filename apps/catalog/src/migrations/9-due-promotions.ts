import { Migration } from '@mikro-orm/migrations';

/** Finds the promotions whose time came or went, without a look at each promotion of each store. */
export class CreateDuePromotions extends Migration {
  override up(): void {
    this.addSql('set local search_path to catalog');
    this.addSql(`
      create index promotions_to_start on promotions (coalesce(ends_at, 'infinity')) where not announced_running;
      create index promotions_to_end on promotions (ends_at) where announced_running;
      create index promotions_put_off on promotions (starts_at) where announced_running`);
  }
}
