/** gRPC definitions of the services, for servers and clients. */
import type { MethodDefinition } from '@grpc/grpc-js';
import protoLoader from '@grpc/proto-loader';
import { messageOptions, root } from './load.ts';

export type GrpcDefinition = Record<string, MethodDefinition<unknown, unknown>>;

let loaded: Record<string, unknown> | undefined;

/**
 * The rpcs of the service of that full name, by name. Made of the loaded protos, as parsing the files again takes twice the time,
 * and at first use: it is a tenth of a process's start, which tests and commands that call nothing are spared.
 */
export function grpcDefinition(service: string): GrpcDefinition {
  loaded ??= protoLoader.fromJSON(root.toJSON(), messageOptions);
  const definition = loaded[service];
  if (!definition) throw new Error(`no proto declares the service ${service}`);
  return definition as GrpcDefinition;
}
