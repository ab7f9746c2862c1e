import { attemptView, recentAttempts } from '../deliveries/attempt.view.ts';
import type { Verb } from '../webhooks.ts';
import { readSubscription } from './find-subscription.ts';
import { subscriptionView } from './subscription.view.ts';

const recentMax = 20;

/** GET /webhook_subscriptions/:id with its last attempts. */
export const getSubscription: Verb<'GetSubscription'> = async (app, request, { caller }) => {
  const subscription = await readSubscription(app.db, caller, request.id);
  const attempts = await recentAttempts(app.db, subscription, recentMax);
  return { webhook_subscription: subscriptionView(subscription), recent_deliveries: attempts.map(attemptView) };
};
