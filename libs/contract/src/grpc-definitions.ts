import type { MethodDefinition } from '@grpc/grpc-js';
import protoLoader from '@grpc/proto-loader';
import protobuf from 'protobufjs';
import { messageOptions, root } from './load.ts';

type GrpcDefinition = Record<string, MethodDefinition<unknown, unknown>>;

const loaded = new Map<string, GrpcDefinition>();

/** The rpcs of a service, from the loaded protos, made at first use: those of all services are an eighth of a process's start. */
export function grpcDefinition(service: string): GrpcDefinition {
  let definition = loaded.get(service);
  if (!definition) {
    definition = protoLoader.fromJSON(partOf(service), messageOptions)[service] as GrpcDefinition;
    loaded.set(service, definition);
  }
  return definition;
}

/** The service with the messages and enums that its rpcs reach, as JSON of a root. */
function partOf(name: string): protobuf.INamespace {
  const service = root.lookup(name, protobuf.Service);
  if (!service) throw new Error(`no proto declares the service ${name}`);
  const part: protobuf.INamespace = { nested: {} };
  for (const object of [service, ...reachedBy(service as protobuf.Service)]) {
    placeOf(object, part)[object.name] = object.toJSON() as protobuf.AnyNestedObject;
  }
  return part;
}

/** The members of the object's package in `part`, which is made when it is missing. */
function placeOf({ parent }: protobuf.ReflectionObject, part: protobuf.INamespace): Record<string, protobuf.AnyNestedObject> {
  let place = part;
  for (const step of parent!.fullName.split('.').filter(Boolean)) {
    place.nested![step] ??= { nested: {} };
    place = place.nested![step] as protobuf.INamespace;
  }
  return place.nested!;
}

/** Those declared in a package; what is declared inside a message comes with it. */
function reachedBy(service: protobuf.Service): Set<protobuf.ReflectionObject> {
  const reached = new Set<protobuf.ReflectionObject>();
  const reach = (found: protobuf.ReflectionObject | null): void => {
    if (!found) return;
    let object = found;
    while (object.parent instanceof protobuf.Type) object = object.parent;
    if (reached.has(object)) return;
    reached.add(object);
    if (object instanceof protobuf.Type) for (const { resolvedType } of fieldsOf(object)) reach(resolvedType);
  };
  for (const { resolvedRequestType, resolvedResponseType } of service.methodsArray) {
    reach(resolvedRequestType);
    reach(resolvedResponseType);
  }
  return reached;
}

/** Also those of the messages that are declared inside it. */
export function fieldsOf(type: protobuf.Type): protobuf.Field[] {
  return [...type.fieldsArray, ...type.nestedArray.flatMap((inner) => (inner instanceof protobuf.Type ? fieldsOf(inner) : []))];
}
