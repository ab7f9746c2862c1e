/** Posts a claimed delivery, signed. */
import type { Webhooks } from '../webhooks.ts';
import type { Claimed } from './claim.ts';
import type { Ended } from './record.ts';
import { deliveryHeaders } from './sign.ts';
import { tracedPost } from './traced-post.ts';
import { type AttemptOutcome, secretUnreadable } from './types.ts';

/** Its end, to be recorded. Undefined after a failure on our side: the lease expires, and the attempt is repeated under its number. */
export async function send(app: Webhooks, claimed: Claimed): Promise<Ended | undefined> {
  const { url, body, event, signers, eventId, sequence, number, requestId } = claimed;
  const ended = (outcome: AttemptOutcome): Ended => ({ claimed, outcome, endedAt: app.db.clock.now() });
  if ('unreadable' in signers) {
    // Ends only this subscription's delivery (D207).
    app.unreadable.note(claimed.subscriptionId, signers.unreadable);
    return ended({ kind: 'failed', reason: secretUnreadable, durationMs: 0 });
  }
  try {
    const { secrets } = signers;
    const at = app.db.clock.now();
    const headers = deliveryHeaders({ body, event, secrets, deliveryId: eventId, requestId, sequence, attempt: number, at });
    return ended(await tracedPost(app.post, claimed, { url, body, headers }));
  } catch (error) {
    app.log.error({ err: error, delivery_id: claimed.deliveryId }, 'An attempt failed on our side and will be made again');
    return undefined;
  }
}
