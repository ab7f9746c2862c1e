/** The link to the next page of a list that is read by cursors (RFC 8288, D284). */
import { nextAfter } from '@store/service';
import type { Answered, Exchange } from './exchange.ts';

/** The answer with `Link` in place of the service's cursor: the client's own parameters, and the cursor. Relative (RFC 3986, 4.2), so that it holds under any name of the API. */
export function linked({ segments, query }: Exchange, answered: Answered): Answered {
  const cursor = answered.headers.find(([name]) => name === nextAfter)?.[1];
  if (cursor === undefined) return answered;
  const parameters = new URLSearchParams(query);
  parameters.delete('page');
  parameters.set('after', String(cursor));
  const path = ['', 'api', 'v1', ...segments.map(encodeURIComponent)].join('/');
  const link = `<${path}?${parameters}>; rel="next"`;
  return { ...answered, headers: [...answered.headers.filter(([name]) => name !== nextAfter), ['Link', link]] };
}
