import { Migration } from '@mikro-orm/migrations';

/** A supplier that is archived stays on its orders. */
export class ArchiveSuppliers extends Migration {
  override up(): void {
    this.addSql('alter table purchasing.suppliers add column archived_at timestamptz(3)');
  }
}
