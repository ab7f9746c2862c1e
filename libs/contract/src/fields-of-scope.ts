import protobuf from 'protobufjs';
import { fieldsOf } from './grpc-definitions.ts';
import { declared, optionsOf } from './load.ts';

/** The names of all fields that only a caller with `scope` sees, in any message. */
export function fieldsOfScope(scope: string): ReadonlySet<string> {
  const fields = declared(protobuf.Type).flatMap(fieldsOf);
  return new Set(fields.filter((field) => optionsOf(field).scope === scope).map(({ name }) => name));
}
