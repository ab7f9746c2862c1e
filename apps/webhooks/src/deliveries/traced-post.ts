/** Posts a delivery inside a span of the request that caused its event, while that request is traced. */
import { failSpan, openSpan, publicationOf } from '@store/rpc';
import type { Webhooks } from '../webhooks.ts';
import type { Claimed } from './claim.ts';
import type { Outcome } from './types.ts';

export async function tracedPost(post: Webhooks['post'], claimed: Claimed, request: Parameters<Webhooks['post']>[0]): Promise<Outcome> {
  const { requestId, event, eventId, subscriptionId, number } = claimed;
  const attributes = { 'store.event': event, 'store.event_id': eventId, 'store.subscription_id': subscriptionId, 'store.attempt': number };
  const span = openSpan(requestId, 'POST webhook', { kind: 'CLIENT', parent: publicationOf(eventId), attributes });
  const outcome = await post(request);
  if (outcome.kind === 'response') span?.setAttribute('http.response.status_code', outcome.status).end();
  else failSpan(span, outcome.reason);
  return outcome;
}
