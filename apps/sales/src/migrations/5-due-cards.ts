import { Migration } from '@mikro-orm/migrations';

/** Finds the stores that have cards to be marked as expired, without a look at each store. */
export class CreateDueCards extends Migration {
  override up(): void {
    this.addSql('set local search_path to sales, public');
    this.addSql("create index gift_cards_due on gift_cards (expires_at, store_id) where status = 'active' and expires_at is not null");
  }
}
