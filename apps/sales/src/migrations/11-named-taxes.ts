import { Migration } from '@mikro-orm/migrations';

/** D266: the names of a sale's taxes, kept with their rates. */
export class NameTaxes extends Migration {
  override up(): void {
    this.addSql('alter table sales.sales add column tax_names jsonb');
  }
}
