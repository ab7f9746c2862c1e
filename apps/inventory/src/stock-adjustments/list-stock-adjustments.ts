/** GET /stock_adjustments. Text: a far page of a long ledger is measured faster by ids from the index alone. */

import { paginationView, parsePage } from '@store/input';
import type { Verb } from '../inventory.ts';
import { countedRows } from './adjustment-counts.ts';
import { type LedgerFilter, ledgerFilter } from './stock-adjustment.input.ts';
import { type AdjustmentRow, adjustmentColumns } from './stock-adjustment.ts';
import { stockAdjustmentView } from './stock-adjustment.view.ts';

const perPageDefault = 100;

/** Lists the store's ledger, newest first. */
export const listStockAdjustments: Verb<'ListStockAdjustments'> = async (app, request, call) => {
  const filter = ledgerFilter(request, call.caller.timeZone);
  const page = parsePage(request, perPageDefault);
  if (filter.matchesNothing) return { stock_adjustments: [], pagination: paginationView(page, 0) };
  const { conditions, values } = where(call.caller.storeId, filter);
  const count =
    values.length === 1 ? countedRows : `select count(*) as total from inventory.stock_adjustments where ${conditions.join(' and ')}`;
  const mark = page.walk?.mark;
  const next = values.length + 1;
  const after = mark ? `and (created_at, id) < ($${next + 2}, $${next + 3})` : '';
  const [[counted], rows] = await Promise.all([
    app.db.read<{ total: number }>(count, values),
    // The ids come from the index alone, so a far page reads no row that it does not show.
    app.db.read<AdjustmentRow>(
      `with page as (
         select store_id, id from inventory.stock_adjustments where ${conditions.join(' and ')} ${after}
         order by created_at desc, id desc limit $${next} offset $${next + 1})
       select ${adjustmentColumns} from page join inventory.stock_adjustments using (store_id, id) order by created_at desc, id desc`,
      [...values, page.limit, page.offset, ...(mark ? [mark.createdAt, mark.id] : [])],
    ),
  ]);
  return { stock_adjustments: rows.map(stockAdjustmentView), pagination: paginationView(page, counted?.total ?? 0) };
};

function where(storeId: number, filter: LedgerFilter): { conditions: string[]; values: unknown[] } {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const add = (condition: string, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(`${condition} $${values.length}`);
  };
  add('store_id =', storeId);
  add('product_id =', filter.productId);
  add('location_id =', filter.locationId);
  add('adjustment_type =', filter.type);
  add('created_at >', filter.since);
  add('created_at <=', filter.until);
  return { conditions, values };
}
