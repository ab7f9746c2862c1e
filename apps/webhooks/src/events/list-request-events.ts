/** The effects of one request: its events, their deliveries and attempts, for GET /requests/:request_id (D206). */
import type { Db, Row } from '@store/db';
import type { RequestAttempt, RequestDelivery, RequestEvent } from '@store/protos/webhooks/v1.ts';
import { systemRequestId } from '@store/rpc';
import type { AttemptRow, DeliveryRow, SubscriptionRow } from '../tables.ts';
import type { Verb } from '../webhooks.ts';
import type { LoggedEvent } from './event.ts';

const eventsMax = 100;
/** 100 events for 25 subscriptions, and as many again for later replays. */
const deliveriesMax = 5_000;

type EventRow = Pick<Row<typeof LoggedEvent>, 'sequence' | 'event_id' | 'name' | 'created_at'> & { head: Buffer };
type FoundDelivery = Pick<DeliveryRow, 'id' | 'sequence' | 'subscription_id' | 'state' | 'held' | 'manual' | 'due_at'> &
  Pick<SubscriptionRow, 'url'>;
type FoundAttempt = Omit<AttemptRow, 'store_id' | 'subscription_id' | 'event' | 'ended_at'>;

export const listRequestEvents: Verb<'ListRequestEvents'> = async (app, request, { caller: { storeId } }) => {
  const id = request.request_id ?? '';
  if (id === '' || id === systemRequestId) return { events: [], event_count: 0 };
  const [events, [count]] = await Promise.all([eventsOf(app.db, storeId, id), countOf(app.db, storeId, id)]);
  const deliveries = await deliveriesOf(
    app.db,
    storeId,
    events.map(({ sequence }) => sequence),
  );
  const attempts = await attemptsOf(
    app.db,
    storeId,
    deliveries.map((delivery) => delivery.id),
  );
  const attemptsByDelivery = Map.groupBy(attempts, (attempt) => attempt.delivery_id);
  const bySequence = Map.groupBy(deliveries, ({ sequence }) => sequence);
  const viewOf = (delivery: FoundDelivery) => deliveryView(delivery, attemptsByDelivery.get(delivery.id) ?? []);
  return {
    events: events.map((event) => eventView(event, (bySequence.get(event.sequence) ?? []).map(viewOf))),
    event_count: count!.total,
  };
};

/** The beginning of a body is enough: the resource is named before the data. */
function eventsOf(db: Db, storeId: number, requestId: string): Promise<EventRow[]> {
  return db.read<EventRow>(
    `select sequence, event_id, name, created_at, substring(body for 500) as head from webhooks.events
     where store_id = $1 and request_id = $2 order by sequence limit $3`,
    [storeId, requestId, eventsMax],
  );
}

const countOf = (db: Db, storeId: number, requestId: string) =>
  db.read<{ total: number }>('select count(*) as total from webhooks.events where store_id = $1 and request_id = $2', [storeId, requestId]);

/** Text: two halves, as each has its own index over the subscription and the sequence. */
async function deliveriesOf(db: Db, storeId: number, sequences: number[]): Promise<FoundDelivery[]> {
  if (sequences.length === 0) return [];
  const half = (condition: string) => `
    select d.id, d.sequence, d.subscription_id, s.url, d.state, d.held, d.manual, d.due_at
    from webhooks.subscriptions s join webhooks.deliveries d on d.store_id = $1 and d.subscription_id = s.id
    where s.store_id = $1 and d.sequence = any ($2::bigint[]) and ${condition}`;
  return db.read<FoundDelivery>(`${half('not d.manual')} union all ${half('d.manual')} order by id limit $3`, [
    storeId,
    sequences,
    deliveriesMax,
  ]);
}

async function attemptsOf(db: Db, storeId: number, deliveries: number[]): Promise<FoundAttempt[]> {
  if (deliveries.length === 0) return [];
  return db.read<FoundAttempt>(
    `select id, delivery_id, number, response_status, outcome, duration_ms, success, created_at
     from webhooks.attempts where store_id = $1 and delivery_id = any ($2::bigint[]) order by id`,
    [storeId, deliveries],
  );
}

function eventView({ event_id, sequence, name, created_at, head }: EventRow, deliveries: RequestDelivery[]): RequestEvent {
  const [, resource_type, resource_id] = /"resource_type":"(\w+)","resource_id":(\d+)/.exec(head.toString()) ?? [];
  return {
    id: event_id,
    sequence,
    event: name,
    resource_type,
    resource_id: Number(resource_id),
    created_at: created_at.toISOString(),
    deliveries,
  };
}

function deliveryView(row: FoundDelivery, attempts: FoundAttempt[]): RequestDelivery {
  const isDue = row.state === 'pending' && !row.held;
  return {
    id: row.id,
    webhook_subscription_id: row.subscription_id,
    url: row.url,
    state: row.state === 'leased' ? 'sending' : row.state,
    manual: row.manual,
    next_attempt_at: isDue ? row.due_at.toISOString() : undefined,
    attempts: attempts.map(attemptView),
  };
}

function attemptView(row: FoundAttempt): RequestAttempt {
  return {
    number: row.number,
    response_status: row.response_status,
    outcome: row.outcome ?? undefined,
    duration_ms: row.duration_ms,
    success: row.success,
    created_at: row.created_at.toISOString(),
  };
}
