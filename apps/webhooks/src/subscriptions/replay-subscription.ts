/** POST /webhook_subscriptions/:id/replay: the log's events once more, for a receiver that missed them. */
import { itemsMax } from '@store/contract';
import { afterCommit, type EntityManager, sql } from '@store/db';
import { parseId } from '@store/input';
import { missing } from '@store/problem';
import type { ReplaySubscriptionRequest__Output } from '@store/protos/webhooks/v1/ReplaySubscriptionRequest.ts';
import type { ReplaySubscriptionResponse } from '@store/protos/webhooks/v1/ReplaySubscriptionResponse.ts';
import type { Call, Caller, Reply } from '@store/rpc';
import { change } from '@store/service';
import { insertDeliveries } from '../events/fan-out.ts';
import { keptSince } from '../events/list-events.ts';
import { listedEvents, readableEvents } from '../events/visible-events.ts';
import type { Webhooks } from '../webhooks.ts';
import { invalidSubscription, lockSubscription, type SubscriptionRow } from './subscription.ts';
import { tell } from './tell.ts';

/** One transaction's worth; the answer's to_sequence is where the next call goes on. */
const eventsMax = 10_000;
const idsMax = itemsMax('store.webhooks.v1.ReplaySubscriptionRequest').event_ids!;

interface Wanted {
  afterSeq: number | undefined;
  eventIds: string[];
}

/** Sends the events that the subscription listens to again; a failure of these is not counted (decision D140). */
export async function replaySubscription(
  app: Webhooks,
  request: ReplaySubscriptionRequest__Output,
  call: Call,
): Promise<ReplaySubscriptionResponse | Reply<ReplaySubscriptionResponse>> {
  const { caller } = call;
  const wanted = wantedOf(request);
  const options = { db: app.db, call, response: 'store.webhooks.v1.ReplaySubscriptionResponse', status: 202 };
  return change<ReplaySubscriptionResponse>(options, async (em) => {
    const now = app.db.clock.now();
    const row = await lockSubscription(em, caller, request.id, now);
    if (!row.deliverable) throw invalidSubscription(['Webhook subscription is not active']);
    const events = await eventsToReplay(em, { caller, row, wanted, now });
    await insertDeliveries(
      em,
      events.map(({ sequence, record }) => ({
        storeId: caller.storeId,
        subscriptionId: row.id,
        sequence: Number(sequence),
        record,
        secretVersion: row.secret_version,
      })),
      { manual: true, now },
    );
    afterCommit(em, () => app.wake());
    const [first, last] = [events[0], events.at(-1)];
    const answer = {
      replayed: events.length,
      from_sequence: first && Number(first.sequence),
      to_sequence: last && Number(last.sequence),
    };
    await tell(em, app, caller, { verb: 'replay', id: row.id, before: null, after: answer });
    return answer;
  });
}

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

/** Events that are on their way at this moment are left out, so that an impatient caller multiplies nothing; so are those that GET /events hides. */
async function eventsToReplay(
  em: EntityManager,
  { caller, row, wanted, now }: { caller: Caller; row: SubscriptionRow; wanted: Wanted; now: Date },
): Promise<{ sequence: string; record: string }[]> {
  return sql<{ sequence: string; record: string }>(
    em,
    `with listed as materialized (${listedEvents('$1', '$8')})
     select e.sequence::text, e.record from webhooks.events e left join listed l on l.name = e.name
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
      row.events,
      keptSince(now),
      wanted.afterSeq ?? wanted.eventIds,
      row.id,
      now,
      eventsMax,
      row.key_id,
      readableEvents(caller.scopes),
    ],
  );
}
