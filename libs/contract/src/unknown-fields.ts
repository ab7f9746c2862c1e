/** Finds the fields that the endpoint does not take; used only when the client asks for it (D255). */
import type protobuf from 'protobufjs';
import type { Endpoint } from './endpoints.ts';
import { namesIn } from './on-request.ts';
import { type InputField, inputFieldsOf, isObject, wellFormed } from './request.ts';

type Message = Record<string, unknown>;

/** Most names per body, row and query, and the length at which a name is cut. */
const namesMax = 20;
const nameLengthMax = 100;

export interface Sender {
  /** Staff write fields that keys do not. */
  isStaff: boolean;
}

interface IgnoredFields {
  /** That the endpoint does not take. */
  unknown: string[];
  /** Sent as null or blank, where a new record would have the default (D283). */
  blank: string[];
}

/** Names what a service would ignore in a parsed body; in rows that are saved one by one it is noted in the row's message. */
export function ignoredFields(
  type: protobuf.Type,
  body: Message,
  message: Message,
  sender: Sender & { params: Record<string, string> },
): IgnoredFields {
  const found: IgnoredFields = { unknown: [], blank: [] };
  const known = inputFieldsOf(type).filter((field) => !(field.name in sender.params));
  collect(known, body, message, sender, '', found);
  return found;
}

function collect(fields: InputField[], body: Message, message: Message, sender: Sender, path: string, found: IgnoredFields): void {
  const known = new Map(fields.filter((field) => sender.isStaff || !field.staff).map((field) => [field.name, field]));
  for (const [name, value] of Object.entries(body)) {
    const field = known.get(name);
    if (!field) note(found.unknown, path + name);
    else if (field.hasDefault && isBlank(value)) note(found.blank, path + name);
    else if (field.message && field.repeated) collectRows(field, value, message[name], sender, path, found);
    else if (field.message && isObject(value)) {
      collect(inputFieldsOf(field.message), value, (message[name] ?? {}) as Message, sender, `${path}${name}.`, found);
    }
  }
}

const isBlank = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '');

function collectRows(field: InputField, rows: unknown, messages: unknown, sender: Sender, path: string, found: IgnoredFields): void {
  if (!Array.isArray(rows)) return;
  const type = field.message!;
  for (const [index, message] of (messages as Message[]).entries()) {
    const row: unknown = rows[index];
    if (!isObject(row)) continue;
    if (!type.fields.unknown) {
      collect(inputFieldsOf(type), row, message, sender, `${path}${field.name}.${index}.`, found);
      continue;
    }
    const ofRow: IgnoredFields = { unknown: [], blank: [] };
    // What only staff write is for one record at a time (D158).
    collect(inputFieldsOf(type), row, message, { isStaff: false }, '', ofRow);
    if (ofRow.unknown.length > 0) message.unknown = ofRow.unknown;
    if (ofRow.blank.length > 0) message.malformed = [...((message.malformed as string[] | undefined) ?? []), ...ofRow.blank];
  }
}

/** Parameters of a query that the endpoint does not take, and names in `include` that its answer cannot have. */
export function unknownParameters(
  { access, onRequest, request }: Pick<Endpoint, 'access' | 'onRequest' | 'request'>,
  query: URLSearchParams,
  params: Record<string, string>,
  takesBody: boolean,
): string[] {
  const found: string[] = [];
  const isField = (name: string) => {
    const field = takesBody ? undefined : request.fields[name];
    return field && !field.repeated && field.type === 'string' && !(name in params);
  };
  const others = [...(access.dryRun ? ['dry_run'] : []), ...(onRequest.length > 0 ? ['include'] : [])];
  for (const name of new Set(query.keys())) if (!isField(name) && !others.includes(name)) note(found, name);
  if (onRequest.length > 0) for (const name of namesIn(query)) if (!onRequest.includes(name)) note(found, `include=${name}`);
  return found;
}

function note(found: string[], name: string): void {
  if (found.length < namesMax) found.push(wellFormed(name.slice(0, nameLengthMax)).replaceAll('\0', '\ufffd'));
}
