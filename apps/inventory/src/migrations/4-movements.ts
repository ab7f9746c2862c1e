import { Migration } from '@mikro-orm/migrations';
import { storesTable } from '@store/service';

/** What rows from events need: the movement that each was written for, and which stores track locations (D220). */
export class AddMovements extends Migration {
  override up(): void {
    this.addSql('set local search_path to inventory');
    this.addSql(storesTable);
    this.addSql('alter table stock_adjustments add column movement_key text');
    this.addSql(
      'create unique index stock_adjustments_movement on stock_adjustments (store_id, movement_key) where movement_key is not null',
    );
  }
}
