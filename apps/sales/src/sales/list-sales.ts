import { type Page, paginationView, parsePage } from '@store/input';
import type { Verb } from '../sales.ts';
import { type SaleRead, salesStatement, viewOf } from './sale.query.ts';
import { matchingSales } from './sale-filter.ts';

const perPageDefault = 50;

/** GET /sales: two statements, whatever is asked for. Newest first by creation. */
export const listSales: Verb<'ListSales'> = async (app, request, call) => {
  const { text, values } = matchingSales(call.caller, request, app.db.clock.now());
  const page = parsePage(request, perPageDefault);
  const { offset, walk } = page;
  const further = walk?.mark ? [walk.mark.createdAt, walk.mark.id] : offset === 0 ? [] : [offset];
  const [sales, [counted]] = await Promise.all([
    app.db.read<SaleRead>(pageStatement(text, page, values.length + 1), [...values, ...further]),
    app.db.read<{ total: number }>(`select count(*) as total from (${text}) as matched`, values),
  ]);
  return { sales: sales.map(viewOf), pagination: paginationView(page, counted!.total) };
};

const newestFirst = 'order by s.created_at desc, s.id desc';

/** The limit is in the text (a hundred texts at most), so that PostgreSQL knows the cost of the first page. */
function pageStatement(matching: string, { limit, offset, walk }: Page, next: number): string {
  const after = walk?.mark ? `where (s.created_at, s.id) < ($${next}, $${next + 1})` : '';
  return `
    with page as materialized (
      select s.id from (${matching}) as s ${after} ${newestFirst} limit ${limit} ${offset === 0 ? '' : `offset $${next}`})
    ${salesStatement('page join sales.sales s on s.store_id = $1 and s.id = page.id')} ${newestFirst}`;
}
