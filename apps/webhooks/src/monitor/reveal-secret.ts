import { sqlOne } from '@store/db';
import type { RevealSecretRequest__Output } from '@store/protos/webhooks/v1/RevealSecretRequest.ts';
import type { RevealSecretResponse } from '@store/protos/webhooks/v1/RevealSecretResponse.ts';
import { type Call, Reply } from '@store/rpc';
import { noStore } from '../subscriptions/sealed-answer.ts';
import { openSecret } from '../subscriptions/secrets.ts';
import { lockSubscription } from '../subscriptions/subscription.ts';
import { tell } from '../subscriptions/tell.ts';
import type { Webhooks } from '../webhooks.ts';

/** POST /webhook_monitor/:id/reveal_secret (admin): the gateway has judged the password; that it was shown is audited. */
export async function revealSecret(
  app: Webhooks,
  request: RevealSecretRequest__Output,
  { caller }: Call,
): Promise<Reply<RevealSecretResponse>> {
  const secret = await app.db.unit(caller.storeId, async (em) => {
    const row = await lockSubscription(em, caller, request.id, app.db.clock.now());
    const { sealed } = await sqlOne<{ sealed: string }>(
      em,
      'select sealed from webhooks.subscription_secrets where subscription_id = $1 and version = $2',
      [row.id, row.secret_version],
    );
    await tell(em, app, caller, { verb: 'reveal_secret', id: row.id, before: null, after: null });
    return openSecret(app.keyRing, { storeId: caller.storeId, subscriptionId: row.id }, sealed);
  });
  return new Reply({ secret }, { headers: noStore });
}
