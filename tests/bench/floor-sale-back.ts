/** Floor B for one sale, back: one gRPC method, a select of the sale by its key and one of its lines. */
import {
  loadPackageDefinition,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import pg from 'pg';
import { saleColumns, saleOf } from './floor-sale.ts';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const loaded = loadPackageDefinition(
  loadSync(process.env.FLOOR_PROTO!, { keepCase: true, longs: Number, defaults: false, arrays: true }),
) as unknown as { floor: { Sales: { service: ServiceDefinition } } };

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

const server = new Server();
server.addService(loaded.floor.Sales.service, {
  Get: ({ request }: ServerUnaryCall<{ store: string; id: string }, object>, answer: sendUnaryData<object>) => {
    get(request).then(
      (sale) => answer(null, sale),
      (error: Error) => answer(error, null),
    );
  },
});
server.bindAsync(`127.0.0.1:${process.env.PORT}`, ServerCredentials.createInsecure(), (error) => {
  if (error) throw error;
});
