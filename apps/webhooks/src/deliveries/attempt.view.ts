/** Logged attempts as keys and staff see them, newest first. */
import { amongKeys, type Db, type Row } from '@store/db';
import type { Page } from '@store/input';
import type { DeliveryAttempt as AttemptMessage, LoggedDelivery, MonitoredAttempt } from '@store/protos/webhooks/v1.ts';
import type { RowKey } from '../row-key.ts';
import { tables } from '../tables.ts';
import type { DeliveryAttempt } from './delivery-attempt.ts';

type LoggedAttempt = Pick<
  Row<typeof DeliveryAttempt>,
  'id' | 'event' | 'response_status' | 'duration_ms' | 'success' | 'created_at' | 'delivery_id' | 'number' | 'outcome'
> & { next_attempt_at: Date | null; event_id: string | null };

/** Attempts that have ended, lost ones included. */
function endedAttempts() {
  return tables
    .selectFrom('attempts as a')
    .select([
      'a.store_id',
      'a.subscription_id',
      'a.id',
      'a.event',
      'a.response_status',
      'a.duration_ms',
      'a.success',
      'a.created_at',
      'a.delivery_id',
      'a.number',
      'a.outcome',
    ])
    .select((eb) =>
      eb
        .selectFrom('deliveries as d')
        .select('d.due_at')
        .whereRef('d.store_id', '=', 'a.store_id')
        .whereRef('d.id', '=', 'a.delivery_id')
        .where('d.state', '=', 'pending')
        .as('next_attempt_at'),
    )
    .select((eb) =>
      eb
        .selectFrom('deliveries as d')
        .innerJoin('events as e', (join) => join.onRef('e.store_id', '=', 'd.store_id').onRef('e.sequence', '=', 'd.sequence'))
        .select('e.event_id')
        .whereRef('d.store_id', '=', 'a.store_id')
        .whereRef('d.id', '=', 'a.delivery_id')
        .as('event_id'),
    )
    .where('a.ended_at', 'is not', null);
}

export function recentAttempts(
  db: Db,
  { storeId, id }: RowKey,
  limit: number,
  { offset, walk }: Pick<Page, 'offset' | 'walk'> = { offset: 0 },
): Promise<LoggedAttempt[]> {
  const all = endedAttempts().where('a.store_id', '=', storeId).where('a.subscription_id', '=', id);
  const after = walk?.mark ? all.where('a.id', '<', walk.mark.id) : all;
  return db.read(after.orderBy('a.id', 'desc').limit(limit).offset(offset));
}

export async function countAttempts(db: Db, { storeId, id }: RowKey): Promise<number> {
  const ofSubscription = tables.selectFrom('attempts').where('store_id', '=', storeId).where('subscription_id', '=', id);
  const ended = ofSubscription.where('ended_at', 'is not', null);
  const [row] = await db.read(ended.select(({ fn }) => fn.countAll<number>().as('total')));
  return row!.total;
}

/** These attempts, for the live stream, without those of deleted subscriptions. */
export function attemptsByKey(db: Db, keys: RowKey[]) {
  const any = endedAttempts()
    .innerJoin('subscriptions as s', (join) => join.onRef('s.store_id', '=', 'a.store_id').onRef('s.id', '=', 'a.subscription_id'))
    .where(amongKeys(keys, 'a'));
  return db.read(any.where('s.deleted_at', 'is', null).orderBy('a.id'));
}

export function attemptView(row: LoggedAttempt): AttemptMessage {
  return {
    id: row.id,
    event: row.event,
    response_status: row.response_status,
    duration_ms: row.duration_ms,
    success: row.success,
    created_at: row.created_at.toISOString(),
  };
}

export function monitoredAttemptView(row: LoggedAttempt): MonitoredAttempt {
  return {
    ...attemptView(row),
    delivery_id: row.delivery_id,
    next_attempt_at: row.next_attempt_at?.toISOString(),
    attempt: row.number,
    outcome: row.outcome ?? undefined,
    event_id: row.event_id ?? undefined,
  };
}

/** A key's holder could probe with the other reasons what this process can reach. */
const shownOutcomes = ['response', 'timeout', 'tls', 'lost'];

export function loggedDeliveryView(row: LoggedAttempt): LoggedDelivery {
  const { delivery_id: _, outcome, ...attempt } = monitoredAttemptView(row);
  return { ...attempt, outcome: outcome === undefined || shownOutcomes.includes(outcome) ? outcome : 'unreachable' };
}
