/** GET /sales: two statements, whatever is asked for. */
import { type Page, paginationView, parsePage } from '@store/input';
import type { Verb } from '../sales.ts';
import { type SaleRead, salesStatement, viewOf } from './sale.query.ts';
import { matchingSales } from './sale-filter.ts';

const perPageDefault = 50;

/** Newest first by creation. */
export const listSales: Verb<'ListSales'> = async (app, request, call) => {
  const { text, values } = matchingSales(call.caller, request, app.db.clock.now());
  const page = parsePage(request, perPageDefault);
  const offset = page.offset === 0 ? [] : [page.offset];
  const [sales, [counted]] = await Promise.all([
    app.db.read<SaleRead>(pageStatement(text, page, values.length + 1), [...values, ...offset]),
    app.db.read<{ total: number }>(`select count(*) as total from (${text}) as matched`, values),
  ]);
  return { sales: sales.map(viewOf), pagination: paginationView(page, counted!.total) };
};

const newestFirst = 'order by s.created_at desc, s.id desc';

/** The limit is in the text (a hundred texts at most), so that PostgreSQL knows the cost of the first page. */
function pageStatement(matching: string, { perPage, offset }: Page, next: number): string {
  return `
    with page as materialized (
      select s.id from (${matching}) as s ${newestFirst} limit ${perPage} ${offset === 0 ? '' : `offset $${next}`})
    ${salesStatement('page join sales.sales s on s.store_id = $1 and s.id = page.id')} ${newestFirst}`;
}
