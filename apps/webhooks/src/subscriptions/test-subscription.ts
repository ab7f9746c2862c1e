/** POST /webhook_subscriptions/:id/test: sends a signed webhook.test now, without logging or counting it. */
import { randomUUID } from 'node:crypto';
import { Problem } from '@store/problem';
import { isSuccess } from '../deliveries/schedule.ts';
import { testPingHeaders } from '../receivers/sign.ts';
import type { FailureReason } from '../receivers/types.ts';
import { openSecret, secretOf } from '../secrets.ts';
import type { Verb } from '../webhooks.ts';
import { readSubscription } from './find-subscription.ts';

const event = 'webhook.test';

/** Any answer is a 200 here; a receiver that could not be reached, or no free slot, is the 422 with the same keys (D132). */
export const testSubscription: Verb<'TestSubscription'> = async (app, request, { caller }) => {
  const row = await readSubscription(app.db, caller, request.id);
  const owner = { storeId: caller.storeId, subscriptionId: row.id };
  const [stored] = await app.db.read(secretOf(owner, row.secretVersion));
  const secret = openSecret(app.keyRing, owner, stored!.sealed);
  const [id, at] = [randomUUID(), app.db.clock.now()];
  const body = pingBody(id, at);
  const headers = testPingHeaders({ id, at, body, event, secrets: [secret] });
  const outcome = await app.limiter.ping({ ...row, storeId: caller.storeId }, () => app.post({ url: row.url, body, headers }));
  if (outcome?.kind === 'response') {
    return { success: isSuccess(outcome), status_code: outcome.status, message: `The endpoint answered with ${outcome.status}` };
  }
  if (!outcome) app.log.warn({ request_id: caller.requestId }, 'A test ping was not sent, as too many POSTs are in flight');
  const message = (outcome && messages[outcome.reason]) ?? notMade;
  throw new Problem('invalid', message, { body: { success: false, status_code: 0, message } });
};

/** A distinction between refused, unknown and not allowed would let a client probe what this process can reach. */
const notMade = 'The test delivery could not be made';
/** Of addresses that may be reached, and that its owner can mend. */
const messages: Partial<Record<FailureReason, string>> = {
  tls: 'The test delivery could not be made: TLS failed, or the certificate was not accepted',
  timeout: 'The test delivery could not be made: the endpoint did not answer in time',
};

function pingBody(id: string, at: Date): Buffer {
  const data = { message: 'This is a test of your webhook subscription.' };
  return Buffer.from(JSON.stringify({ id, event, created_at: at.toISOString(), data }));
}
