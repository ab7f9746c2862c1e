import { rateLimited } from '@store/problem';
import { rateLimitOf } from '../key-gate/rate-limit.ts';
import type { Exchange, Pipeline } from './exchange.ts';
import { prefers } from './strict-handling.ts';

export function limitKey(exchange: Exchange, { app }: Pick<Pipeline, 'app'>): void {
  const { admission, record } = exchange.key!;
  const { limit, admitted, until } = rateLimitOf(admission, record);
  if (!admitted) {
    app.usage.refused(record, 'rate_limited', app.db.clock.now());
    throw rateLimited({ limit, now: new Date(admission.nowMs), until });
  }
  exchange.effectiveLimit = limit;
  showLimit(exchange, { limit, remaining: limit - admission.count, until });
}

/** Headers of the limit come with a 429 only (Rules, Limits), unless the client asks for them. */
function showLimit({ request, response }: Exchange, { limit, remaining, until }: { limit: number; remaining: number; until: Date }): void {
  if (!prefers(request.headers.prefer, 'ratelimit')) return;
  response.appendHeader('Preference-Applied', 'ratelimit');
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', until.getTime() / 1_000);
}

/** The completion mark is written before the last byte of the answer is sent (D13). */
export async function completeKeyRequest({ key, scopeUsed }: Exchange, { app }: Pick<Pipeline, 'app'>): Promise<void> {
  const { record, admission, hash } = key!;
  app.usage.record(record, scopeUsed, app.db.clock.now());
  if (admission.markStale) await app.keyGate.complete(hash);
}
