import type { Verb } from '../webhooks.ts';
import { readSubscriptions } from './find-subscription.ts';
import { subscriptionView } from './subscription.view.ts';

/** GET /webhook_subscriptions: the key's own, newest first, not paginated. */
export const listSubscriptions: Verb<'ListSubscriptions'> = async (app, _request, { caller }) => {
  const subscriptions = await readSubscriptions(app.db, caller);
  return { webhook_subscriptions: subscriptions.map(subscriptionView) };
};
