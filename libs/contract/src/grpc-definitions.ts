/**
 * gRPC definitions of the services, made of the loaded protos at first use. @grpc/proto-loader would load them a second time and
 * describe every message for server reflection, which took a tenth of a process's start.
 */
import type { MethodDefinition } from '@grpc/grpc-js';
import type protobuf from 'protobufjs';
import { messageOptions, root } from './load.ts';

export type GrpcDefinition = Record<string, MethodDefinition<unknown, unknown>>;

const made = new Map<string, GrpcDefinition>();

/** The rpcs of the service of that full name, by name, for servers and clients. */
export function grpcDefinition(service: string): GrpcDefinition {
  let definition = made.get(service);
  if (!definition) {
    definition = Object.fromEntries(root.lookupService(service).methodsArray.map((method) => [method.name, definitionOf(service, method)]));
    made.set(service, definition);
  }
  return definition;
}

function definitionOf(service: string, method: protobuf.Method): MethodDefinition<unknown, unknown> {
  const { resolvedRequestType: request, resolvedResponseType: response } = method;
  if (!request || !response) throw new Error(`${service}.${method.name} names a message that no proto declares`);
  return {
    path: `/${service}/${method.name}`,
    requestStream: method.requestStream === true,
    responseStream: method.responseStream === true,
    requestSerialize: serializer(request),
    requestDeserialize: deserializer(request),
    responseSerialize: serializer(response),
    responseDeserialize: deserializer(response),
  };
}

const serializer = (type: protobuf.Type) => (value: unknown) =>
  type.encode(type.fromObject(value as Record<string, unknown>)).finish() as Buffer;

const deserializer = (type: protobuf.Type) => (bytes: Buffer) => type.toObject(type.decode(bytes), messageOptions);
