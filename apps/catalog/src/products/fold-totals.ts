/** Folds the rows of kept totals, so that each stays one short sum (D192). */
import { type Db, sql } from '@store/db';

/** Summing fewer rows than this costs less than folding them. */
const rowsWorthFolding = 32;

/** Readers see either the rows or their sum: both change in one transaction. */
export async function foldOnce(db: Db): Promise<void> {
  await db.unit(0, (em) =>
    sql(
      em,
      `with gone as (
         delete from catalog.product_totals where store_id in (
           select store_id from catalog.product_totals group by store_id having count(*) > ${rowsWorthFolding})
         returning store_id, delta)
       insert into catalog.product_totals (store_id, delta) select store_id, sum(delta) from gone group by store_id`,
    ),
  );
  await db.unit(0, (em) =>
    sql(
      em,
      // Of a category that is gone nothing is left.
      `with gone as (
         delete from catalog.category_totals where category_id in (
           select category_id from catalog.category_totals group by category_id having count(*) > ${rowsWorthFolding} or sum(added) = 0)
         returning category_id, added)
       insert into catalog.category_totals (category_id, added)
         select category_id, sum(added) from gone group by category_id having sum(added) <> 0`,
    ),
  );
}
