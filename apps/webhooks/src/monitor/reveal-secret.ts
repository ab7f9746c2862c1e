import { sql } from '@store/db';
import { notCached } from '@store/service';
import { openSecret, secretOf } from '../secrets.ts';
import { lockSubscription } from '../subscriptions/find-subscription.ts';
import { recordAction } from '../subscriptions/record-action.ts';
import type { Verb } from '../webhooks.ts';

/** POST /webhook_monitor/:id/reveal_secret (admin): the gateway has checked the password; the access is audited. */
export const revealSecret: Verb<'RevealSecret'> = async (app, request, call) => {
  const { storeId } = call.caller;
  const secret = await app.db.unit(storeId, async (em) => {
    const { id, secretVersion } = await lockSubscription(em, call.caller, request.id);
    const owner = { storeId, subscriptionId: id };
    const [stored] = await sql(em, secretOf(owner, secretVersion));
    await recordAction(em, app, call, { action: 'reveal_secret', id, before: null, after: null });
    return openSecret(app.keyRing, owner, stored!.sealed);
  });
  return notCached({ secret });
};
