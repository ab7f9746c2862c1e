import { Migration } from '@mikro-orm/migrations';

/** D268: unit costs have four decimals. A type without a scale rewrites no row; values keep the decimals that they are written with. */
export class RefineCosts extends Migration {
  override up(): void {
    this.addSql('set local search_path to purchasing');
    this.addSql('alter table purchase_order_lines alter column unit_price type numeric, alter column unit_cost_invoiced type numeric');
  }
}
