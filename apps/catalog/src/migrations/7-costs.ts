import { Migration } from '@mikro-orm/migrations';

/** Costs come from receipts; a cost that was written by hand is kept beside them (D168, D246). */
export class KeepCosts extends Migration {
  override up(): void {
    this.addSql('set local search_path to catalog');
    this.addSql(`
      create table received_lines (
        store_id bigint not null,
        line_id bigint not null,
        product_id bigint,
        quantity numeric(14, 3) not null,
        unit_cost numeric(14, 2),
        landed_cost numeric(14, 2),
        received_at timestamptz(3),
        version bigint not null,
        primary key (store_id, line_id)
      );
      create index received_lines_of_product on received_lines (store_id, product_id) where product_id is not null;
      create table line_products (
        store_id bigint not null,
        line_id bigint not null,
        product_id bigint,
        primary key (store_id, line_id)
      )`);
    this.addSql('alter table products add column written_cost numeric(14, 2), add column cost_written_at timestamptz(3)');
    this.addSql('update products set written_cost = cost, cost_written_at = updated_at where cost is not null');
  }
}
