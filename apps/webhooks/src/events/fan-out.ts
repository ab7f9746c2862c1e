/**
 * Turns messages into events of the store's log and a delivery per matching subscription, in the transaction that remembers the messages.
 * Text: set-based over arrays.
 */
import { type EntityManager, type Row, sql } from '@store/db';
import type { Message } from '@store/events';
import { addDeliveries } from '../deliveries/add-deliveries.ts';
import { deliverable } from '../deliveries/deliverable.ts';
import type { Added } from '../deliveries/dispatcher.ts';
import type { SubscriptionRow } from '../tables.ts';
import type { LoggedEvent as EventRow } from './event.ts';
import { isEventName } from './event-names.ts';

type Target = Pick<SubscriptionRow, 'id' | 'store_id' | 'events' | 'secret_version'>;

interface LoggedEvent {
  message: Message;
  sequence: number;
  record: string;
}

export function wantsEvent(message: Message): boolean {
  return message.public !== null;
}

/** Logs the events and fans them out. An invalid body throws (to dead_letters). */
export async function fanOut(em: EntityManager, messages: Message[], now: Date): Promise<Added> {
  for (const message of messages) checkBody(message);
  // Sent together. The targets are locked last: while they are locked, no attempt of theirs is recorded.
  const [events, targets] = await Promise.all([logEvents(em, messages), matchingTargets(em, messages, now)]);
  return deliver(em, events, targets, now);
}

function checkBody(message: Message): void {
  if (!isEventName(message.name)) throw new Error(`${message.name} is no event of the specification`);
  const body = JSON.parse(message.public!.toString()) as { id?: unknown; event?: unknown } | null;
  if (body?.id !== message.id || body.event !== message.name) throw new Error('the body is not that of its event');
}

/**
 * Numbers events that the log does not have yet: the inbox may have forgotten them. The store's row stays locked until the commit, so
 * sequences become visible in order.
 */
const log = `
  with given as (
    select * from unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[], $5::bytea[], $6::timestamptz[], $7::text[])
      with ordinality as x(store_id, event_id, name, record, body, created_at, request_id, n)
  ), fresh as (
    select g.*, row_number() over (partition by g.store_id order by g.n) as place, count(*) over (partition by g.store_id) as many
    from given g
    where not exists (select from webhooks.events e where e.store_id = g.store_id and e.event_id = g.event_id)
  ), counted as (
    insert into webhooks.stores as s (id, last_sequence)
    select store_id, count(*) from fresh group by store_id order by store_id
    on conflict (id) do update set last_sequence = s.last_sequence + excluded.last_sequence
    returning id, last_sequence
  )
  insert into webhooks.events (store_id, sequence, event_id, name, record, body, created_at, request_id)
  select f.store_id, c.last_sequence - f.many + f.place, f.event_id, f.name, f.record, f.body, f.created_at, f.request_id
  from fresh f join counted c on c.id = f.store_id order by f.n
  returning event_id, sequence`;

/** Those that are new to the log, in their order. */
async function logEvents(em: EntityManager, messages: Message[]): Promise<LoggedEvent[]> {
  const recordOf = ({ topic, aggregate }: Message) => `${topic}:${aggregate}`;
  const rows = await sql<Pick<Row<typeof EventRow>, 'event_id' | 'sequence'>>(em, log, [
    messages.map(({ storeId }) => storeId),
    messages.map(({ id }) => id),
    messages.map(({ name }) => name),
    messages.map(recordOf),
    messages.map((message) => message.public),
    messages.map(({ createdAt }) => createdAt),
    messages.map(({ requestId }) => requestId),
  ]);
  const sequences = new Map(rows.map((row) => [row.event_id, row.sequence]));
  return messages.flatMap((message) => {
    const sequence = sequences.get(message.id);
    return sequence === undefined ? [] : { message, sequence, record: recordOf(message) };
  });
}

/** Locked until the commit against recording attempts, changing the subscription and revoking the key. */
async function matchingTargets(em: EntityManager, messages: Message[], now: Date): Promise<Target[]> {
  return sql<Target>(
    em,
    `select s.id, s.store_id, s.events, s.secret_version from webhooks.subscriptions s
     where s.store_id = any($2::bigint[]) and s.events && $3::text[] and ${deliverable('s', '$1')} order by s.id for share`,
    [now, [...new Set(messages.map(({ storeId }) => storeId))], [...new Set(messages.map(({ name }) => name))]],
  );
}

async function deliver(em: EntityManager, events: LoggedEvent[], targets: Target[], now: Date): Promise<Added> {
  const wanted = events.flatMap((event) =>
    targets
      .filter((target) => target.store_id === event.message.storeId && target.events.includes(event.message.name))
      .map((target) => ({ event, target })),
  );
  if (wanted.length === 0) return { count: 0, subscriptions: [] };
  await addDeliveries(
    em,
    wanted.map(({ event, target }) => ({
      storeId: event.message.storeId,
      subscriptionId: target.id,
      sequence: event.sequence,
      record: event.record,
      secretVersion: target.secret_version,
    })),
    { manual: false, now },
  );
  const subscriptions = new Map(wanted.map(({ target }) => [target.id, { storeId: target.store_id, id: target.id }]));
  return { count: wanted.length, subscriptions: [...subscriptions.values()] };
}
