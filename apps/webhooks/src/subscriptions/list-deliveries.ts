import { paginationView, parsePage } from '@store/input';
import { countAttempts, loggedDeliveryView, recentAttempts } from '../deliveries/attempt.view.ts';
import type { Verb } from '../webhooks.ts';
import { readSubscription } from './find-subscription.ts';

const perPageDefault = 50;

/** GET /webhook_subscriptions/:id/deliveries: every attempt that is still logged, newest first. */
export const listDeliveries: Verb<'ListDeliveries'> = async (app, request, { caller }) => {
  const subscription = await readSubscription(app.db, caller, request.id);
  const page = parsePage(request, perPageDefault);
  const [attempts, total] = await Promise.all([
    recentAttempts(app.db, subscription, page.limit, page),
    countAttempts(app.db, subscription),
  ]);
  return { deliveries: attempts.map(loggedDeliveryView), pagination: paginationView(page, total) };
};
