import { Migration } from '@mikro-orm/migrations';

/** D267, D286: what staff and connectors add to an order. */
export class AddOrderDetails extends Migration {
  override up(): void {
    this.addSql(`alter table purchasing.purchase_orders add column expected_on date, add column notes text,
      add column supplier_invoice_number text, add column supplier_invoice_date date, add column external_id text`);
  }
}
