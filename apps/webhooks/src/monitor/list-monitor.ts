import { readSubscriptions } from '../subscriptions/find-subscription.ts';
import { monitoredView } from '../subscriptions/subscription.view.ts';
import type { Verb } from '../webhooks.ts';

/** GET /webhook_monitor (staff): every subscription of the store, those of revoked keys included. */
export const listMonitor: Verb<'ListMonitor'> = async (app, _request, { caller }) => {
  const now = app.db.clock.now();
  const subscriptions = await readSubscriptions(app.db, caller);
  return { webhook_subscriptions: subscriptions.map((subscription) => monitoredView(subscription, now)) };
};
