import type { ListSubscriptionsRequest__Output } from '@store/protos/webhooks/v1/ListSubscriptionsRequest.ts';
import type { ListSubscriptionsResponse } from '@store/protos/webhooks/v1/ListSubscriptionsResponse.ts';
import type { Call } from '@store/rpc';
import type { Webhooks } from '../webhooks.ts';
import { readSubscriptions } from './subscription.ts';
import { subscriptionView } from './subscription.view.ts';

/** GET /webhook_subscriptions: the key's own, newest first, not paginated. */
export async function listSubscriptions(
  app: Webhooks,
  _request: ListSubscriptionsRequest__Output,
  { caller }: Call,
): Promise<ListSubscriptionsResponse> {
  const rows = await readSubscriptions(app.db, caller);
  return { webhook_subscriptions: rows.map(subscriptionView) };
}
