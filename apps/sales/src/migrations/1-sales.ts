import { Migration } from '@mikro-orm/migrations';
import { idempotencyTable, runningTotalsTable } from '@store/db';
import { eventTables } from '@store/events';
import { storesTable } from '@store/service';

/** The tables of sales. Every one of them has store_id, and every query filters on it. */
export class CreateSales extends Migration {
  override up(): void {
    this.addSql('set local search_path to sales');
    this.addSql(storesTable);
    this.addSql(runningTotalsTable);
    this.addSql(idempotencyTable);
    this.addSql(eventTables);
  }
}
