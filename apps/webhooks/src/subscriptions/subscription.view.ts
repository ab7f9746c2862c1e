/** A subscription's row as the messages that keys and staff see; the secret is in neither. */

import { isoTime } from '@store/db';
import type { MonitoredSubscription } from '@store/protos/webhooks/v1/MonitoredSubscription.ts';
import type { Subscription } from '@store/protos/webhooks/v1/Subscription.ts';
import type { SubscriptionRow } from './subscription.ts';

export function subscriptionView(row: SubscriptionRow): Subscription {
  return {
    id: Number(row.id),
    url: row.url,
    events: row.events,
    active: row.active,
    failure_count: row.failure_count,
    last_triggered_at: optionalTime(row.last_triggered_at),
    disabled_at: optionalTime(row.disabled_at),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** What staff see (decisions D149, D156): whose it is, and whether anything is sent at all. */
export function monitoredView(row: SubscriptionRow): MonitoredSubscription {
  return {
    ...subscriptionView(row),
    api_key: { id: Number(row.key_id), name: row.key_name },
    deliverable: row.deliverable,
  };
}

function optionalTime(value: string | null): string | undefined {
  return value === null ? undefined : isoTime(value);
}
