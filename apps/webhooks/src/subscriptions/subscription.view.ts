/** A subscription as keys and staff see it, without the secret. */
import type { MonitoredSubscription, Subscription } from '@store/protos/webhooks/v1.ts';
import type { ShownSubscription } from './find-subscription.ts';
import { mayReceive } from './subscription.ts';

export function subscriptionView(record: ShownSubscription): Subscription {
  return {
    id: record.id,
    url: record.url,
    events: record.events,
    active: record.active,
    failure_count: record.failureCount,
    last_triggered_at: record.lastTriggeredAt?.toISOString(),
    disabled_at: record.disabledAt?.toISOString(),
    created_at: record.createdAt.toISOString(),
    updated_at: record.updatedAt.toISOString(),
  };
}

/** The view of staff (D149, D156): its owner, and whether anything is sent. */
export function monitoredView(record: ShownSubscription, now: Date): MonitoredSubscription {
  return {
    ...subscriptionView(record),
    api_key: { id: record.keyId, name: record.keyName },
    deliverable: mayReceive(record, now),
  };
}
