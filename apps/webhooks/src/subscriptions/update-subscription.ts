import { applyChanges, flushRecord } from '@store/db';
import { sent } from '@store/input';
import { change } from '@store/service';
import { skipPending } from '../deliveries/skip-deliveries.ts';
import { lockStore } from '../events/event-log.ts';
import type { Verb } from '../webhooks.ts';
import { lockSubscription, readSubscription } from './find-subscription.ts';
import { recordAction } from './record-action.ts';
import { acceptSubscription } from './subscription.input.ts';
import { Subscription, type SubscriptionRecord } from './subscription.ts';
import { subscriptionView } from './subscription.view.ts';

/** PATCH /webhook_subscriptions/:id: changes only what is sent, and never failure_count (D131). */
export const updateSubscription: Verb<'UpdateSubscription'> = async (app, request, call) => {
  const { caller } = call;
  const input = sent('webhook_subscription', request.webhook_subscription);
  const { id } = await readSubscription(app.db, caller, request.id);
  const accepted = await acceptSubscription(input, false, app);
  return change(app, call, async (em) => {
    const now = app.db.clock.now();
    const log = accepted.events && (await lockStore(em, caller.storeId));
    const subscription = await lockSubscription(em, caller, id);
    const difference = applyChanges(subscription, accepted, now);
    if (!difference) return { webhook_subscription: subscriptionView(subscription) };
    if (log) subscription.eventsAfter = eventsAfter(subscription, log.last_sequence);
    // active: false leaves disabled_at as it is; active: true clears it.
    if (accepted.active) subscription.disabledAt = null;
    await flushRecord(em, Subscription);
    // When it is deactivated, its pending retries end permanently, as those of a disabled one do (D152).
    if (accepted.active === false) await skipPending(em, [id], now);
    await recordAction(em, app, call, { action: 'update', id, ...difference });
    return { webhook_subscription: subscriptionView(subscription) };
  });
};

/** A newly listed event is visible in the log from here on (D130). */
function eventsAfter({ events, eventsAfter }: SubscriptionRecord, last: number): Record<string, number> {
  return Object.fromEntries(events.map((name) => [name, eventsAfter[name] ?? last]));
}
