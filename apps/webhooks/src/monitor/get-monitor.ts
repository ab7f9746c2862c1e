import { monitoredAttemptView, recentAttempts } from '../deliveries/attempt.view.ts';
import { readSubscription } from '../subscriptions/find-subscription.ts';
import { monitoredView } from '../subscriptions/subscription.view.ts';
import type { Verb } from '../webhooks.ts';

const recentMax = 50;

/** GET /webhook_monitor/:id (staff) with its last attempts. */
export const getMonitor: Verb<'GetMonitor'> = async (app, request, { caller }) => {
  const subscription = await readSubscription(app.db, caller, request.id);
  const attempts = await recentAttempts(app.db, subscription, recentMax);
  return {
    webhook_subscription: monitoredView(subscription, app.db.clock.now()),
    recent_deliveries: attempts.map(monitoredAttemptView),
  };
};
