/** gRPC of the floors by its plain library: no deadlines, no signatures, no interceptors. */
import {
  credentials,
  loadPackageDefinition,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

type Longs = typeof String | typeof Number;

interface FloorService {
  new (address: string, credentials: unknown): unknown;
  service: ServiceDefinition;
}

function floorService(name: string, longs: Longs): FloorService {
  const options = { keepCase: true, longs, defaults: false, arrays: true };
  const loaded = loadPackageDefinition(loadSync(process.env.FLOOR_PROTO!, options)) as unknown as { floor: Record<string, FloorService> };
  return loaded.floor[name]!;
}

/** A client of the back; `longs`: what 64-bit numbers are read as. */
export function backClient<Client>(name: string, longs: Longs = String): Client {
  return new (floorService(name, longs))(process.env.BACK_ADDRESS!, credentials.createInsecure()) as Client;
}

/** Serves one method at PORT. */
export function serveBack<Asked>(name: string, method: string, answerTo: (request: Asked) => Promise<object>, longs: Longs = String): void {
  const server = new Server();
  server.addService(floorService(name, longs).service, {
    [method]: ({ request }: ServerUnaryCall<Asked, object>, answer: sendUnaryData<object>) => {
      answerTo(request).then(
        (reply) => answer(null, reply),
        (error: Error) => answer(error, null),
      );
    },
  });
  server.bindAsync(`127.0.0.1:${process.env.PORT}`, ServerCredentials.createInsecure(), (error) => {
    if (error) throw error;
  });
}
