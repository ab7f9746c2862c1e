/** Logged attempts as keys and staff see them, newest first. */

import { type Db, isoTime } from '@store/db';
import type { DeliveryAttempt } from '@store/protos/webhooks/v1/DeliveryAttempt.ts';
import type { MonitoredAttempt } from '@store/protos/webhooks/v1/MonitoredAttempt.ts';

export interface AttemptRow {
  id: string;
  event: string;
  response_status: number;
  duration_ms: number;
  success: boolean;
  created_at: string;
  delivery_id: string;
  next_attempt_at: string | null;
}

/** Attempts that have ended, one that was lost to a failure of ours included. */
export async function recentAttempts(db: Db, storeId: number, subscriptionId: string, limit: number): Promise<AttemptRow[]> {
  return db.read<AttemptRow>(
    'recent-attempts',
    `select a.id::text, a.event, a.response_status, a.duration_ms, a.success, a.created_at::text, a.delivery_id::text,
       (select d.due_at::text from webhooks.deliveries d where d.store_id = $3 and d.id = a.delivery_id and d.state = 'pending') as next_attempt_at
     from webhooks.attempts a where a.subscription_id = $1 and a.ended_at is not null order by a.id desc limit $2`,
    [subscriptionId, limit, storeId],
  );
}

export function attemptView(row: AttemptRow): DeliveryAttempt {
  return {
    id: Number(row.id),
    event: row.event,
    response_status: row.response_status,
    duration_ms: row.duration_ms,
    success: row.success,
    created_at: isoTime(row.created_at),
  };
}

export function monitoredAttemptView(row: AttemptRow): MonitoredAttempt {
  return {
    ...attemptView(row),
    delivery_id: Number(row.delivery_id),
    next_attempt_at: row.next_attempt_at === null ? undefined : isoTime(row.next_attempt_at),
  };
}
