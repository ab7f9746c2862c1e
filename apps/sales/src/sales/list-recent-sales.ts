/** GET /customers/:id/recent_sales, which sales answers, as it owns what is shown (D165). */
import { parseId } from '@store/input';
import { notFound } from '@store/problem';
import { copiedCustomers } from '../customers/customer-copy.ts';
import type { Verb } from '../sales.ts';
import { type SaleRead, salesStatement, viewOf } from './sale.query.ts';

const recentSalesMax = 5;

const recent = `
  with page as materialized (
    select s.id from sales.sales s where s.store_id = $1 and s.customer_id = $2 and s.status = 'completed'
    order by s.completed_at desc, s.id desc limit ${recentSalesMax})
  ${salesStatement('page join sales.sales s on s.store_id = $1 and s.id = page.id')} order by s.completed_at desc, s.id desc`;

/** The last completed sales by their completion (D83). An archived customer is a 404 as everywhere (D85). */
export const listRecentSales: Verb<'ListRecentSales'> = async (app, request, call) => {
  const { storeId } = call.caller;
  const id = parseId(request.id);
  const customer = id === undefined ? undefined : (await copiedCustomers(app, call, [id])).get(id);
  if (!customer || customer.archived) throw notFound('Customer');
  const sales = await app.db.read<SaleRead>(recent, [storeId, customer.id]);
  return { sales: sales.map(viewOf) };
};
