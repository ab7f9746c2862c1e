import protobuf from 'protobufjs';
import { optionsOf, root } from './load.ts';

/** The names of all fields that only a caller with `scope` sees, in any message. */
export function fieldsOfScope(scope: string): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (parent: protobuf.NamespaceBase) => {
    for (const nested of parent.nestedArray) {
      if (nested instanceof protobuf.Type) {
        for (const field of nested.fieldsArray) if (optionsOf(field).scope === scope) names.add(field.name);
      }
      if (nested instanceof protobuf.Namespace) visit(nested);
    }
  };
  visit(root);
  return names;
}
