/** The first span of a traced request; it has the request's id, and neither its path nor its query, which may hold a secret. */
import type { Problem } from '@store/problem';
import { failSpan, openRequestSpan } from '@store/rpc';
import { errorCodeOf } from './answer.ts';
import { type Exchange, storeIdOf } from './exchange.ts';

type RequestSpan = ReturnType<typeof openRequestSpan>;

export function requestSpan({ requestId, request, match }: Exchange): RequestSpan {
  const route = match?.endpoint.path ?? 'none';
  return openRequestSpan(requestId, `${request.method} ${route}`, { 'http.request.method': request.method, 'http.route': route });
}

export function endRequestSpan(span: RequestSpan, exchange: Exchange, problem: Problem | undefined): void {
  if (!span) return;
  span.setAttribute('http.response.status_code', exchange.response.statusCode);
  const storeId = storeIdOf(exchange);
  if (storeId !== undefined) span.setAttribute('store.store_id', storeId);
  if (problem) span.setAttribute('error.type', errorCodeOf(problem));
  if (problem && problem.status >= 500) failSpan(span, problem);
  else span.end();
}
