/** Posts a claimed delivery: signed, and inside a span of the request that caused its event while that request is traced. */
import { failSpan, openSpan, publicationOf } from '@store/rpc';
import { deliveryHeaders } from '../receivers/sign.ts';
import type { Outcome } from '../receivers/types.ts';
import type { Webhooks } from '../webhooks.ts';
import type { Claimed } from './claim.ts';
import type { AttemptResult } from './record.ts';
import { type AttemptOutcome, secretUnreadable } from './schedule.ts';

/** Its result, to be recorded. Undefined after a failure on our side: the lease expires, and the attempt is repeated under its number. */
export async function send(app: Webhooks, claimed: Claimed): Promise<AttemptResult | undefined> {
  const { url, body, event, signers, eventId, sequence, number, requestId } = claimed;
  const resultOf = (outcome: AttemptOutcome): AttemptResult => ({ claimed, outcome, endedAt: app.db.clock.now() });
  if ('unreadable' in signers) {
    // Ends only this subscription's delivery (D207).
    app.metrics.noteUnreadable(claimed.subscriptionId, signers.unreadable);
    return resultOf({ kind: 'failed', reason: secretUnreadable, durationMs: 0 });
  }
  try {
    const { secrets } = signers;
    const at = app.db.clock.now();
    const headers = deliveryHeaders({ body, event, secrets, id: eventId, requestId, sequence, attempt: number, at });
    return resultOf(await tracedPost(app, claimed, { url, body, headers }));
  } catch (error) {
    app.log.warn(
      { err: error, delivery_id: claimed.deliveryId },
      'An attempt failed on our side; it is repeated when its lease has expired',
    );
    return undefined;
  }
}

async function tracedPost({ post }: Webhooks, claimed: Claimed, request: Parameters<Webhooks['post']>[0]): Promise<Outcome> {
  const { requestId, event, eventId, subscriptionId, number } = claimed;
  const attributes = { 'store.event': event, 'store.event_id': eventId, 'store.subscription_id': subscriptionId, 'store.attempt': number };
  const span = openSpan(requestId, 'POST webhook', { kind: 'CLIENT', parent: publicationOf(eventId), attributes });
  const outcome = await post(request);
  if (outcome.kind === 'response') span?.setAttribute('http.response.status_code', outcome.status).end();
  else failSpan(span, outcome.reason);
  return outcome;
}
