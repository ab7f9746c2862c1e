import { Migration } from '@mikro-orm/migrations';
import { idempotencyTable, runningTotalsTable } from '@store/db';
import { eventTables } from '@store/events';
import { storesTable } from '@store/service';

/** The tables of customers. Every one of them has store_id, and every query filters on it. */
export class CreateCustomers extends Migration {
  override up(): void {
    this.addSql('set local search_path to customers');
    this.addSql(storesTable);
    this.addSql(runningTotalsTable);
    this.addSql(idempotencyTable);
    this.addSql(eventTables);
  }
}
