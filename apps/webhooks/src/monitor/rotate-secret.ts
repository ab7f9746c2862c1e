import { flushRecord } from '@store/db';
import type { RotateSecretResponse } from '@store/protos/webhooks/v1.ts';
import { actorOf, answerSeal, change, notCached } from '@store/service';
import { newSecret, retireSecrets, storeSecret } from '../secrets.ts';
import { lockSubscription } from '../subscriptions/find-subscription.ts';
import { recordAction } from '../subscriptions/record-action.ts';
import { Subscription } from '../subscriptions/subscription.ts';
import { monitoredView } from '../subscriptions/subscription.view.ts';
import type { Verb } from '../webhooks.ts';

/** POST /webhook_monitor/:id/rotate_secret (admin). Existing deliveries keep their secret in X-Service-Signature (D135). */
export const rotateSecret: Verb<'RotateSecret'> = async (app, request, call) => {
  const { caller } = call;
  const answer = await change<RotateSecretResponse>(
    app,
    call,
    async (em) => {
      const now = app.db.clock.now();
      const subscription = await lockSubscription(em, caller, request.id);
      const { id, secretVersion: before } = subscription;
      const version = before + 1;
      const secret = newSecret();
      const owner = { storeId: caller.storeId, subscriptionId: id };
      await retireSecrets(em, owner, now);
      await storeSecret(em, app.keyRing, owner, version, secret);
      Object.assign(subscription, { secretVersion: version, updatedAt: now });
      await flushRecord(em, Subscription);
      const changes = { before: { secret_version: before }, after: { secret_version: version } };
      await recordAction(em, app, call, { action: 'rotate_secret', id, ...changes });
      return { webhook_subscription: monitoredView(subscription, now), secret };
    },
    { seal: answerSeal(app.keyRing, caller, actorOf(caller)) },
  );
  return notCached(answer);
};
