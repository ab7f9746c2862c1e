import { paginationView, parsePage } from '@store/input';
import type { Verb } from '../inventory.ts';
import { countedRows } from './adjustment-counts.ts';
import { ledgerConditions } from './stock-adjustment.input.ts';
import { type AdjustmentRow, adjustmentColumns } from './stock-adjustment.ts';
import { stockAdjustmentView } from './stock-adjustment.view.ts';

const perPageDefault = 100;

/** GET /stock_adjustments, newest first. Text: a far page of a long ledger is measured faster by ids from the index alone. */
export const listStockAdjustments: Verb<'ListStockAdjustments'> = async (app, request, call) => {
  const where = ledgerConditions(request, call.caller);
  const page = parsePage(request, perPageDefault);
  if (!where) return { stock_adjustments: [], pagination: paginationView(page, 0) };
  const { conditions, values } = where;
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
