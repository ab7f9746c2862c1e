import type { IdRequest__Output } from '@store/protos/webhooks/v1/IdRequest.ts';
import type { MonitorDetailResponse } from '@store/protos/webhooks/v1/MonitorDetailResponse.ts';
import type { Call } from '@store/rpc';
import { monitoredAttemptView, recentAttempts } from '../deliveries/attempt.view.ts';
import { readSubscription } from '../subscriptions/subscription.ts';
import { monitoredView } from '../subscriptions/subscription.view.ts';
import type { Webhooks } from '../webhooks.ts';

const recentMax = 50;

/** GET /webhook_monitor/:id (staff) with its last attempts. */
export async function getMonitor(app: Webhooks, request: IdRequest__Output, { caller }: Call): Promise<MonitorDetailResponse> {
  const row = await readSubscription(app.db, caller, request.id);
  const attempts = await recentAttempts(app.db, caller.storeId, row.id, recentMax);
  return { webhook_subscription: monitoredView(row), recent_deliveries: attempts.map(monitoredAttemptView) };
}
