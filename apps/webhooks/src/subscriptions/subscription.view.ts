/** A subscription as the messages that keys and staff see; the secret is in neither. */
import type { MonitoredSubscription } from '@store/protos/webhooks/v1/MonitoredSubscription.ts';
import type { Subscription } from '@store/protos/webhooks/v1/Subscription.ts';
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

/** What staff see (D149, D156): whose it is, and whether anything is sent at all. */
export function monitoredView(record: ShownSubscription, now: Date): MonitoredSubscription {
  return {
    ...subscriptionView(record),
    api_key: { id: record.keyId, name: record.keyName },
    deliverable: mayReceive(record, now),
  };
}
