import { sql } from '@store/db';
import type { Done } from '@store/protos/api/v1/Done.ts';
import type { IdRequest__Output } from '@store/protos/webhooks/v1/IdRequest.ts';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import { skipPending } from '../keys/revoke-key.ts';
import type { Webhooks } from '../webhooks.ts';
import { lockSubscription } from './subscription.ts';
import { tell } from './tell.ts';

/**
 * DELETE /webhook_subscriptions/:id of a key, and /webhook_monitor/:id of staff, who thereby make room
 * that subscriptions of revoked keys take (decision D128). Retries that wait are cancelled (D127).
 */
export async function deleteSubscription(app: Webhooks, request: IdRequest__Output, call: Call): Promise<Done | Reply<Done>> {
  const { caller } = call;
  return change<Done>({ db: app.db, call, response: 'store.api.v1.Done' }, async (em) => {
    const now = app.db.clock.now();
    const { id, url, events, active } = await lockSubscription(em, caller, request.id, now);
    await sql(em, 'update webhooks.subscriptions set deleted_at = $3, active = false where store_id = $1 and id = $2', [
      caller.storeId,
      id,
      now,
    ]);
    await sql(em, 'delete from webhooks.subscription_secrets where subscription_id = $1', [id]);
    await skipPending(em, [id], now);
    await tell(em, app, caller, { verb: 'delete', id, before: { url, events, active }, after: null });
    return { success: true, message: 'Webhook subscription deleted' };
  });
}
