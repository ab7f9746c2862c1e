import { Migration } from '@mikro-orm/migrations';

/** D268: unit costs have four decimals. A type without a scale rewrites no row. */
export class RefineCosts extends Migration {
  override up(): void {
    this.addSql('alter table catalog.received_lines alter column unit_cost type numeric');
  }
}
