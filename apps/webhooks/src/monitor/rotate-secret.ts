import { sql } from '@store/db';
import type { IdRequest__Output } from '@store/protos/webhooks/v1/IdRequest.ts';
import type { RotateSecretResponse } from '@store/protos/webhooks/v1/RotateSecretResponse.ts';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import { answerSeal, notCached } from '../subscriptions/sealed-answer.ts';
import { newSecret, storeSecret } from '../subscriptions/secrets.ts';
import { lockSubscription, rereadSubscription } from '../subscriptions/subscription.ts';
import { monitoredView } from '../subscriptions/subscription.view.ts';
import { tell } from '../subscriptions/tell.ts';
import type { Webhooks } from '../webhooks.ts';

/**
 * POST /webhook_monitor/:id/rotate_secret (admin). What was fanned out before keeps its secret in
 * X-Service-Signature on every attempt (decision D135); what comes after has the new one.
 */
export async function rotateSecret(app: Webhooks, request: IdRequest__Output, call: Call): Promise<Reply<RotateSecretResponse>> {
  const { caller } = call;
  const options = { db: app.db, call, response: 'store.webhooks.v1.RotateSecretResponse', seal: answerSeal(app, caller) };
  const answer = await change<RotateSecretResponse>(options, async (em) => {
    const now = app.db.clock.now();
    const { id, secret_version: before } = await lockSubscription(em, caller, request.id, now);
    const version = before + 1;
    const secret = newSecret();
    await sql(em, 'update webhooks.subscription_secrets set retired_at = $2 where subscription_id = $1 and retired_at is null', [id, now]);
    await storeSecret(em, app.keyRing, { storeId: caller.storeId, subscriptionId: id }, version, secret);
    await sql(em, 'update webhooks.subscriptions set secret_version = $3, updated_at = $4 where store_id = $1 and id = $2', [
      caller.storeId,
      id,
      version,
      now,
    ]);
    await tell(em, app, caller, { verb: 'rotate_secret', id, before: { secret_version: before }, after: { secret_version: version } });
    return { webhook_subscription: monitoredView(await rereadSubscription(em, caller, id, now)), secret };
  });
  return notCached(answer);
}
