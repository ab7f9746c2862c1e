import type protobuf from 'protobufjs';
import { fieldsInOrder, optionsOf } from './load.ts';

/** A list whose request has page and per_page, and whose answer has one list and its pagination. */
export interface PagedList {
  name: string;
  perPage: number;
  /** It can be read by cursors: the request has `after` (D284). */
  walks: boolean;
}

/** The items are written as they come, so nothing of the answer may follow them. */
export function demandStreamable(method: protobuf.Method): boolean {
  if (method.responseStream !== true) return false;
  const fields = fieldsInOrder(method.resolvedResponseType!);
  if (!fields.at(-1)?.repeated || fields.slice(0, -1).some(({ repeated }) => repeated)) {
    throw new Error(`${method.fullName}: the last field of a streamed answer, and no other, is repeated`);
  }
  return true;
}

export function pagedList({ resolvedRequestType: request, resolvedResponseType: response }: protobuf.Method): PagedList | undefined {
  const perPage = request!.fields.per_page;
  const [list, ...others] = response!.fieldsArray.filter(({ repeated }) => repeated);
  if (!request!.fields.page || !perPage || !response!.fields.pagination || !list || others.length > 0) return undefined;
  return { name: list.name, perPage: Number(optionsOf(perPage).default_value), walks: request!.fields.after !== undefined };
}

/** A list that is read whole: one without pages, a cursor or a record that it belongs to. */
export function isCapped(
  { resolvedRequestType: request, resolvedResponseType: response }: protobuf.Method,
  httpMethod: string,
  path: string,
) {
  if (httpMethod !== 'GET' || path.includes('{') || request!.fields.page || response!.fields.has_more) return false;
  return response!.fieldsArray.some(({ repeated, map }) => repeated && !map);
}
