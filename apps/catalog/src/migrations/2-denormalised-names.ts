import { Migration } from '@mikro-orm/migrations';

/** A product row keeps its brand's name and its categories as they are shown: a read joins nothing (docs/decisions/0051). */
export class KeepNames extends Migration {
  override up(): void {
    this.addSql('set local search_path to catalog');
    this.addSql(`
      alter table products
        add column brand_name text,
        -- [{id, name, slug}] in the order in which they are shown.
        add column category_list jsonb not null default '[]'`);
    this.addSql(`
      update products p set brand_name = (select b.name from brands b where b.id = p.brand_id), category_list = coalesce((
        select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'slug', c.slug) order by c.position, c.name, c.id)
        from product_categories pc join categories c on c.id = pc.category_id where pc.product_id = p.id), '[]')
      where p.brand_id is not null or exists (select 1 from product_categories pc where pc.product_id = p.id)`);
  }
}
