import type { IdRequest__Output } from '@store/protos/webhooks/v1/IdRequest.ts';
import type { SubscriptionDetailResponse } from '@store/protos/webhooks/v1/SubscriptionDetailResponse.ts';
import type { Call } from '@store/rpc';
import { attemptView, recentAttempts } from '../deliveries/attempt.view.ts';
import type { Webhooks } from '../webhooks.ts';
import { readSubscription } from './subscription.ts';
import { subscriptionView } from './subscription.view.ts';

const recentMax = 20;

/** GET /webhook_subscriptions/:id with its last attempts. */
export async function getSubscription(app: Webhooks, request: IdRequest__Output, { caller }: Call): Promise<SubscriptionDetailResponse> {
  const row = await readSubscription(app.db, caller, request.id);
  const attempts = await recentAttempts(app.db, caller.storeId, row.id, recentMax);
  return { webhook_subscription: subscriptionView(row), recent_deliveries: attempts.map(attemptView) };
}
