/** Floor B for one sale, back: one gRPC method, a select of the sale by its key and one of its lines. */
import pg from 'pg';
import { serveBack } from './floor-grpc.ts';
import { saleColumns, saleOf } from './floor-sale.ts';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

const saleQuery = `
  select ${saleColumns} from sales.sales s left join sales.customers c on c.store_id = s.store_id and c.id = s.customer_id
  where s.store_id = $1 and s.id = $2`;
const linesQuery = 'select * from sales.sale_line_items where store_id = $1 and sale_id = $2 order by position';

async function get({ store, id }: { store: string; id: string }): Promise<object> {
  const [sale, lines] = await Promise.all([
    pool.query({ name: 'sale', text: saleQuery, values: [store, id] }),
    pool.query({ name: 'lines', text: linesQuery, values: [store, id] }),
  ]);
  return saleOf(sale.rows[0], lines.rows);
}

serveBack('Sales', 'Get', get, Number);
