import type { ListMonitorRequest__Output } from '@store/protos/webhooks/v1/ListMonitorRequest.ts';
import type { ListMonitorResponse } from '@store/protos/webhooks/v1/ListMonitorResponse.ts';
import type { Call } from '@store/rpc';
import { readSubscriptions } from '../subscriptions/subscription.ts';
import { monitoredView } from '../subscriptions/subscription.view.ts';
import type { Webhooks } from '../webhooks.ts';

/** GET /webhook_monitor (staff): every subscription of the store, those of revoked keys included. */
export async function listMonitor(app: Webhooks, _request: ListMonitorRequest__Output, { caller }: Call): Promise<ListMonitorResponse> {
  const rows = await readSubscriptions(app.db, caller);
  return { webhook_subscriptions: rows.map(monitoredView) };
}
