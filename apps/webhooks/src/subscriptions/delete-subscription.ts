import { flushRecord } from '@store/db';
import { change } from '@store/service';
import { skipPending } from '../deliveries/skip-deliveries.ts';
import { forgetSecrets } from '../secrets.ts';
import type { Verb } from '../webhooks.ts';
import { lockSubscription } from './find-subscription.ts';
import { recordAction } from './record-action.ts';
import { Subscription } from './subscription.ts';

/** DELETE /webhook_subscriptions/:id of a key, and /webhook_monitor/:id of staff (D128). Pending retries are cancelled (D127). */
export const deleteSubscription: Verb<'DeleteSubscription'> = (app, request, call) =>
  change(app, call, async (em) => {
    const now = app.db.clock.now();
    const subscription = await lockSubscription(em, call.caller, request.id);
    const { storeId, id, url, events, active } = subscription;
    Object.assign(subscription, { deletedAt: now, active: false });
    await flushRecord(em, Subscription);
    await forgetSecrets(em, { storeId, subscriptionId: id });
    await skipPending(em, [id], now);
    await recordAction(em, app, call, { action: 'delete', id, before: { url, events, active }, after: null });
    return { success: true, message: 'Webhook subscription deleted' };
  });
