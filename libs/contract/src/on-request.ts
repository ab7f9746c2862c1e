/** Fields that an answer has only where the parameter `include` names them: what the specification lists stays as it is (D286). */
import protobuf from 'protobufjs';
import { optionsOf } from './load.ts';
import type { Holds } from './render.ts';

/** In place of a scope: the request must name the field. No scope begins so. */
export const onRequest = (name: string): string => `include:${name}`;
export const isOnRequest = (scope: string): boolean => scope.startsWith(onRequest(''));

/** Their names in a message and in the messages within it. */
export function namesOnRequest(type: protobuf.Type): string[] {
  const names = new Set<string>();
  const seen = new Set<protobuf.Type>();
  const visit = (message: protobuf.Type) => {
    if (seen.has(message)) return;
    seen.add(message);
    for (const field of message.fieldsArray) {
      if (optionsOf(field).on_request === true) names.add(field.name);
      if (field.resolvedType instanceof protobuf.Type) visit(field.resolvedType);
    }
  };
  visit(type);
  return [...names];
}

/** The names in a query, separated by commas; of a parameter that is repeated the last one, as of any other. */
export function namesIn(query: URLSearchParams): string[] {
  const sent = query.getAll('include').at(-1) ?? '';
  return sent.split(',').flatMap((name) => name.trim() || []);
}

/** The reader with the fields that the query asks for. */
export function including(holds: Holds, query: URLSearchParams): Holds {
  const asked = new Set(namesIn(query).map(onRequest));
  return asked.size === 0 ? holds : (scope) => asked.has(scope) || holds(scope);
}
