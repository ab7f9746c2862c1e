/** Bounds what a list in pages reads at once. The gateway asks again for a page that is too large, in slices (D260). */
import { type Endpoint, endpoints } from '@store/contract';
import { withinBytes } from '@store/db';
import { walked } from './walked-list.ts';

/** A quarter of the 4 MB that an answer may take when it is built whole: as JSON, with the names of its members, rows are longer. */
const rowBytesMax = 1024 * 1024;

export type AnyVerb = (request: never, call: never) => Promise<unknown>;

/** The verb of that endpoint; of a list in pages, one that rejects with `too_large` where its rows are. A single record is never refused. */
export function bounded(endpoint: Pick<Endpoint, 'list'>, verb: AnyVerb): AnyVerb {
  if (!endpoint.list) return verb;
  const listed = walked(endpoint.list, verb);
  const isOne = ({ per_page }: { per_page?: string }) => per_page === '1';
  return (request, call) => (isOne(request) ? listed(request, call) : withinBytes(rowBytesMax, () => listed(request, call)));
}

export function boundedLists(service: string, verbs: object): object {
  const lists = endpoints().filter(({ list, rpc }) => list && rpc.startsWith(`/${service}/`));
  const asked = verbs as Record<string, AnyVerb>;
  return { ...verbs, ...Object.fromEntries(lists.map((endpoint) => [endpoint.rpcName, bounded(endpoint, asked[endpoint.rpcName]!)])) };
}
