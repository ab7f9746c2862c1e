import { Migration } from '@mikro-orm/migrations';

/**
 * The statements that change products and links keep the totals and names of lists themselves (kept-lists.ts): Citus distributes no table
 * with a trigger. Processes of the release before still leave that to triggers, so these stay for one release more, for the statements
 * that do not say `lists are kept here`; distribute drops what begins with `earlier_`. The next release removes them with their functions.
 */
export class KeepListsByStatement extends Migration {
  override up(): void {
    this.addSql('set local search_path to catalog');
    // No process deletes a product's row.
    this.addSql('drop trigger count_deleted on products');
    for (const change of functions) this.addSql(change);
    for (const [name, table, rest] of earlier) {
      this.addSql(`drop trigger ${name} on ${table}`);
      this.addSql(`create trigger earlier_${name} ${rest}`);
    }
  }
}

const keptHere = `current_query() like '%lists are kept here%'`;

/** Every update of products evaluates the conditions of their triggers, so those stay as they are. */
const functions = [
  `create or replace function count_switched() returns trigger language plpgsql as $$
   begin
     if ${keptHere} then return null; end if;
     insert into catalog.product_totals (store_id, delta)
       values (new.store_id, case when new.active and new.deleted_at is null and new.parent_id is null then 1 else -1 end);
     return null;
   end $$`,
  `create or replace function name_links() returns trigger language plpgsql as $$
   begin
     if ${keptHere} then return null; end if;
     update catalog.product_categories link
       set name = new.name, listed = new.active and new.deleted_at is null and new.parent_id is null
       where link.product_id = new.id;
     return null;
   end $$`,
];

const forEachStatement = `for each statement when (not (${keptHere})) execute function`;

const listed = (row: 'old' | 'new') => `${row}.active and ${row}.deleted_at is null and ${row}.parent_id is null`;

const earlier = [
  ['count_inserted', 'products', `after insert on products referencing new table as new_rows ${forEachStatement} count_listed()`],
  [
    'count_updated',
    'products',
    `after update on products for each row when ((${listed('old')}) <> (${listed('new')})) execute function count_switched()`,
  ],
  [
    'name_links',
    'products',
    `after update on products for each row when ((old.name, old.active, old.deleted_at is null, old.parent_id is null)
       is distinct from (new.name, new.active, new.deleted_at is null, new.parent_id is null)) execute function name_links()`,
  ],
  [
    'name_link',
    'product_categories',
    `before insert on product_categories for each row when (not (${keptHere})) execute function name_link()`,
  ],
  [
    'count_inserted',
    'product_categories',
    `after insert on product_categories referencing new table as new_rows ${forEachStatement} count_links()`,
  ],
  [
    'count_deleted',
    'product_categories',
    `after delete on product_categories referencing old table as old_rows ${forEachStatement} count_links()`,
  ],
  [
    'count_updated',
    'product_categories',
    `after update on product_categories referencing old table as old_rows new table as new_rows ${forEachStatement} count_links()`,
  ],
] as const;
