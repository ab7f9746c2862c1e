/** Floor B, back: one gRPC method, one select by primary key. */
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

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const loaded = loadPackageDefinition(
  loadSync(process.env.FLOOR_PROTO!, { keepCase: true, longs: String, defaults: false, arrays: true }),
) as unknown as {
  floor: { Products: { service: ServiceDefinition } };
};
const server = new Server();
server.addService(loaded.floor.Products.service, {
  Get: (call: ServerUnaryCall<{ id: string }, object>, answer: sendUnaryData<object>) => {
    pool
      .query({
        name: 'one',
        text: 'select id, name, sku, barcode, description, price, stock from catalog.products where id = $1',
        values: [call.request.id],
      })
      .then(
        ({ rows }) => answer(null, rows[0]),
        (error: Error) => answer(error, null),
      );
  },
});
server.bindAsync(`127.0.0.1:${process.env.PORT}`, ServerCredentials.createInsecure(), (error) => {
  if (error) throw error;
});
