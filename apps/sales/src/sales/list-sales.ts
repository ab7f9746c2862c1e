/** GET /sales: three statements, whatever is asked for. */
import { type Page, paginationView, parsePage } from '@store/input';
import type { Verb } from '../sales.ts';
import { type SaleRead, salesStatement, salesWithLines } from './sale.query.ts';
import { type SaleFilter, saleFilter } from './sale-filter.ts';

const perPageDefault = 50;

/** Newest first by creation. */
export const listSales: Verb<'ListSales'> = async (app, request, call) => {
  const { storeId, timeZone } = call.caller;
  const filter = saleFilter(storeId, request, timeZone, app.db.clock.now());
  const page = parsePage(request, perPageDefault);
  const [sales, [counted]] = await Promise.all([
    app.db.read<SaleRead>('sales', pageStatement(filter, page), [...filter.values, ...offsetOf(page)], call),
    app.db.read<{ total: number }>('sales_count', `select count(*) as total ${matching(filter)}`, filter.values, call),
  ]);
  return { sales: await salesWithLines(app, storeId, sales), pagination: paginationView(page, counted!.total) };
};

/** The sales that match, of which only what an index has is read. */
function matching({ found, where }: SaleFilter): string {
  const among = found === undefined ? '' : `and s.id in (${found})`;
  return `from sales.sales s where s.store_id = $1 ${among} ${where}`;
}

/** The limit stands in the text (there are a hundred at most), so that PostgreSQL sees what the first page costs. */
function pageStatement(filter: SaleFilter, page: Page): string {
  const [offset] = offsetOf(page);
  const limit = `limit ${page.perPage}${offset === undefined ? '' : ` offset $${filter.values.length + 1}`}`;
  const order = 'order by s.created_at desc, s.id desc';
  return `
    with page as materialized (select s.id ${matching(filter)} ${order} ${limit})
    ${salesStatement('page join sales.sales s on s.store_id = $1 and s.id = page.id')} ${order}`;
}

const offsetOf = ({ offset }: Page): number[] => (offset === 0 ? [] : [offset]);
