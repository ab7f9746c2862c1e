import { flushRecord } from '@store/db';
import { change } from '@store/service';
import { lockSubscription } from '../subscriptions/find-subscription.ts';
import { recordAction } from '../subscriptions/record-action.ts';
import { Subscription } from '../subscriptions/subscription.ts';
import { monitoredView } from '../subscriptions/subscription.view.ts';
import type { Verb } from '../webhooks.ts';

/** POST /webhook_monitor/:id/reset (staff): "Reset Failures & Re-enable". Skipped deliveries stay skipped (D152). */
export const resetSubscription: Verb<'ResetSubscription'> = (app, request, call) =>
  change(app, call, async (em) => {
    const now = app.db.clock.now();
    const subscription = await lockSubscription(em, call.caller, request.id);
    const { id, active, failureCount } = subscription;
    Object.assign(subscription, { active: true, failureCount: 0, replayFailures: 0, disabledAt: null, updatedAt: now });
    await flushRecord(em, Subscription);
    const before = { active, failure_count: failureCount };
    await recordAction(em, app, call, { action: 'reset', id, before, after: { active: true, failure_count: 0 } });
    return { webhook_subscription: monitoredView(subscription, now) };
  });
