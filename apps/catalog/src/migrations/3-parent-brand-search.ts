import { Migration } from '@mikro-orm/migrations';

/**
 * Search finds a variation by its parent's brand. The brand is the last part of its parent's search text, lower-cased as this
 * service does it, which PostgreSQL would not do for every script.
 */
export class SearchByParentBrand extends Migration {
  override up(): void {
    this.addSql(`
      update catalog.products v set search_text = v.search_text || chr(31) || split_part(parent.search_text, chr(31), -1)
      from catalog.products parent where parent.id = v.parent_id and parent.store_id = v.store_id and parent.brand_name is not null`);
  }
}
