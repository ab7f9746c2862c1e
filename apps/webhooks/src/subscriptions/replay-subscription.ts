/** POST /webhook_subscriptions/:id/replay: sends logged events again to a receiver. Text: an index for each half. */
import { itemsMax } from '@store/contract';
import { afterCommit, type EntityManager, planByValues, type Row, sql } from '@store/db';
import { parseId } from '@store/input';
import { missing } from '@store/problem';
import type { ReplaySubscriptionRequest__Output } from '@store/protos/webhooks/v1.ts';
import type { Caller } from '@store/rpc';
import { change } from '@store/service';
import { addDeliveries } from '../deliveries/add-deliveries.ts';
import type { LoggedEvent } from '../events/event.ts';
import { keptSince } from '../events/list-events.ts';
import { listedEvents, readableEvents } from '../events/visible-events.ts';
import type { Verb } from '../webhooks.ts';
import { lockSubscription } from './find-subscription.ts';
import { recordAction } from './record-action.ts';
import { invalidSubscription, refuseFailing, refuseInactive, type SubscriptionRecord } from './subscription.ts';

/** The most events of one transaction; the next call continues from the answer's to_sequence. */
const eventsMax = 10_000;
const idsMax = itemsMax('store.webhooks.v1.ReplaySubscriptionRequest').event_ids!;

type ReplayedEvent = Pick<Row<typeof LoggedEvent>, 'sequence' | 'record'>;

interface Wanted {
  afterSeq: number | undefined;
  eventIds: string[];
}

/** Sends the subscription's events again. Failures of these deliveries do not disable it, but end what waits of its replays (D140). */
export const replaySubscription: Verb<'ReplaySubscription'> = async (app, request, call) => {
  const { caller } = call;
  const wanted = wantedOf(request);
  return change(app, call, async (em) => {
    const now = app.db.clock.now();
    const subscription = await lockSubscription(em, caller, request.id);
    refuseInactive(subscription, now);
    refuseFailing(subscription, now);
    const { id, secretVersion } = subscription;
    const events = await eventsToReplay(em, { caller, subscription, wanted, now });
    const deliveries = events.map((event) => ({ ...event, storeId: caller.storeId, subscriptionId: id, secretVersion }));
    await addDeliveries(em, deliveries, { manual: true, now });
    afterCommit(em, () => app.wake());
    const answer = { replayed: events.length, from_sequence: events[0]?.sequence, to_sequence: events.at(-1)?.sequence };
    await recordAction(em, app, call, { action: 'replay', id, before: null, after: answer });
    return answer;
  });
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function wantedOf(request: ReplaySubscriptionRequest__Output): Wanted {
  const ids = request.event_ids ?? [];
  const malformed = request.malformed ?? [];
  if (malformed.some((path) => path.startsWith('event_ids'))) throw invalidSubscription(['Event ids must be a list of event ids']);
  if (malformed.includes('after_seq')) throw invalidSubscription(['After seq must be a valid sequence']);
  if (request.after_seq === undefined || request.after_seq === '') {
    if (request.empty_lists?.includes('event_ids')) throw invalidSubscription(["Event ids can't be blank"]);
    if (ids.length === 0) throw missing('after_seq');
    if (ids.length > idsMax) throw invalidSubscription([`Event ids are limited to ${idsMax}`]);
    if (!ids.every((id) => uuid.test(id))) throw invalidSubscription(['Event ids must be a list of event ids']);
    return { afterSeq: undefined, eventIds: ids };
  }
  if (ids.length > 0) throw invalidSubscription(['After seq and event ids cannot be sent together']);
  const afterSeq = /^0+$/.test(request.after_seq) ? 0 : parseId(request.after_seq);
  if (afterSeq === undefined) throw invalidSubscription(['After seq must be a valid sequence']);
  return { afterSeq, eventIds: [] };
}

/** Leaves out events with a pending delivery, so that repeated calls multiply nothing, and those that GET /events hides. */
async function eventsToReplay(
  em: EntityManager,
  { caller, subscription, wanted, now }: { caller: Caller; subscription: SubscriptionRecord; wanted: Wanted; now: Date },
): Promise<ReplayedEvent[]> {
  planByValues(em);
  return sql<ReplayedEvent>(
    em,
    `with listed as materialized (${listedEvents('$1', '$8')})
     select e.sequence, e.record from webhooks.events e left join listed l on l.name = e.name
     where e.store_id = $1 and e.name = any($2) and e.created_at >= $3
       and (e.name = any($9::text[]) or e.sequence > l.after)
       and ${wanted.afterSeq === undefined ? 'e.event_id = any($4::uuid[])' : 'e.sequence > $4'}
       and not exists (
         select from webhooks.deliveries d where d.store_id = $1 and d.subscription_id = $5 and d.sequence = e.sequence and not d.manual
           and (d.state = 'leased' or (d.state = 'pending' and d.due_at <= $6)))
       and not exists (
         select from webhooks.deliveries d where d.store_id = $1 and d.subscription_id = $5 and d.sequence = e.sequence and d.manual
           and d.state in ('leased', 'pending'))
     order by e.sequence limit $7`,
    [
      caller.storeId,
      subscription.events,
      keptSince(now),
      wanted.afterSeq ?? wanted.eventIds,
      subscription.id,
      now,
      eventsMax,
      subscription.keyId,
      readableEvents(caller.scopes),
    ],
  );
}
