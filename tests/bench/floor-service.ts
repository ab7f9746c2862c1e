/** gRPC of the floors by its plain library: no deadlines, no signatures, no interceptors. */
import path from 'node:path';
import { type GrpcObject, loadPackageDefinition, type ServiceClientConstructor } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const options = { keepCase: true, longs: Number, defaults: false, arrays: true };
const { floor } = loadPackageDefinition(loadSync(path.join(import.meta.dirname, 'floor.proto'), options)) as { floor: GrpcObject };

/** Floor, whose one method answers a method and path of a store. */
export const FloorService = floor.Floor as ServiceClientConstructor;
