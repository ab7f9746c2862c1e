import { Migration } from '@mikro-orm/migrations';
import { idempotencyTable, runningTotalsTable } from '@store/db';
import { eventTables } from '@store/events';

/** The tables of purchasing. Every one of them has store_id, and every query filters on it. */
export class CreatePurchasing extends Migration {
  override up(): void {
    this.addSql('set local search_path to purchasing');
    this.addSql(runningTotalsTable);
    this.addSql(idempotencyTable);
    this.addSql(eventTables);
  }
}
