/**
 * The catalog as its next version could be: one more migration, which adds a column and an index to the table that requests use
 * most. Its code is that of this version.
 */
import { Migration } from '@mikro-orm/migrations';
import { catalog } from '@store/catalog';
import { run } from '@store/service';

class AddNextNote extends Migration {
  override up(): void {
    this.addSql('set local search_path to catalog');
    this.addSql(`alter table products add column next_note text not null default 'none', add column next_version bigint`);
    this.addSql('create index products_next on products (store_id, next_note, id)');
  }
}

const next = { ...catalog, migrations: { ...catalog.migrations, '99-next': AddNextNote } };

await run(next);
