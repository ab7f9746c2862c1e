/** Loads the protos once; routes, policy, JSON, OpenAPI and gRPC definitions are derived from this root. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';
// The imports of annotations.proto; protobufjs itself brings only some of Google's messages.
import descriptor from 'protobufjs/google/protobuf/descriptor.json' with { type: 'json' };

export const protoDir = fileURLToPath(new URL('../../../protos/', import.meta.url));

export function protoFiles(): string[] {
  return readdirSync(protoDir, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.proto'))
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
}

/** Options of the message objects that handlers see; `npm run gen` types them. */
export const messageOptions = {
  keepCase: true,
  longs: String,
  enums: String,
  defaults: false,
  arrays: true,
  oneofs: false,
} as const;

function load(): protobuf.Root {
  protobuf.common('descriptor', descriptor.nested.google.nested.protobuf.nested);
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) => (target.startsWith('google/') ? target : protoDir + target);
  root.loadSync(protoFiles(), { keepCase: true, alternateCommentMode: true });
  root.resolveAll();
  return root;
}

export const root = load();

/** All of a kind that the protos declare; what is declared inside one of them is not found by itself. */
export function declared<T extends protobuf.ReflectionObject>(
  kind: new (...args: never[]) => T,
  within: protobuf.NamespaceBase = root,
): T[] {
  return within.nestedArray.flatMap((nested): T[] => {
    if (nested instanceof kind) return [nested];
    return nested instanceof protobuf.Namespace ? declared(kind, nested) : [];
  });
}

/** By their numbers, which is the order of an answer. */
export function fieldsInOrder(type: protobuf.Type): protobuf.Field[] {
  return [...type.fieldsArray].sort((a, b) => a.id - b.id);
}

/** parsedOptions is a list of one-option objects once a proto is loaded; its own typing says otherwise. */
function parsedOptions(object: protobuf.ReflectionObject): Record<string, unknown>[] {
  return (object.parsedOptions ?? []) as Record<string, unknown>[];
}

const optionsByObject = new WeakMap<protobuf.ReflectionObject, Record<string, unknown>>();

/** Options of one reflection object, by their short name: `scope`, `http`, … Whoever starts asks for each many times. */
export function optionsOf(object: protobuf.ReflectionObject): Record<string, unknown> {
  const known = optionsByObject.get(object);
  if (known) return known;
  const found: Record<string, unknown> = {};
  optionsByObject.set(object, found);
  for (const option of parsedOptions(object)) {
    for (const [name, value] of Object.entries(option)) found[shortName(name)] = value;
  }
  for (const [name, value] of Object.entries(object.options ?? {})) {
    if (/^\(store\.api\.v1\.\w+\)$/.test(name)) found[shortName(name)] ??= value;
  }
  return found;
}

/** All values of an option that may be repeated. */
export function repeatedOption<T>(object: protobuf.ReflectionObject, name: string): T[] {
  return parsedOptions(object).flatMap((option) =>
    Object.entries(option).flatMap(([key, value]) => (shortName(key) === name ? [value as T] : [])),
  );
}

function shortName(option: string): string {
  return option.replace(/^\(store\.api\.v1\.(\w+)\)$/, '$1');
}
