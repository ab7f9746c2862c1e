/** Floor A for sales: today's sales with their lines, the exact count, the same fields; no time zones but UTC. */
import { ask, serveList } from './floor-list.ts';
import { saleColumns, saleOf } from './floor-sale.ts';

const dayMs = 86_400_000;
const listQuery = `
  select ${saleColumns} from sales.sales s left join sales.customers c on c.store_id = s.store_id and c.id = s.customer_id
  where s.store_id = $1 and s.listed_at >= $2 and s.listed_at < $3 order by s.created_at desc, s.id desc limit $4`;
const countQuery = 'select count(*) as n from sales.sales where store_id = $1 and listed_at >= $2 and listed_at < $3';
const linesQuery = 'select * from sales.sale_line_items where store_id = $1 and sale_id = any ($2::bigint[]) order by sale_id, position';

serveList(50, async (store, { size }) => {
  const from = new Date(Math.floor(Date.now() / dayMs) * dayMs);
  const window = [store, from, new Date(from.getTime() + dayMs)];
  const [sales, count] = await Promise.all([ask('list', listQuery, [...window, size]), ask('count', countQuery, window)]);
  const lines = await ask('lines', linesQuery, [store, sales.map(({ id }) => id)]);
  const bySale = Map.groupBy(lines, ({ sale_id }) => sale_id);
  return [sales.map((row) => saleOf(row, bySale.get(row.id) ?? [])), Number(count[0]!.n)];
});
