import { sql } from '@store/db';
import { missing } from '@store/problem';
import type { SubscriptionResponse } from '@store/protos/webhooks/v1/SubscriptionResponse.ts';
import type { UpdateSubscriptionRequest__Output } from '@store/protos/webhooks/v1/UpdateSubscriptionRequest.ts';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import { skipPending } from '../keys/revoke-key.ts';
import type { Webhooks } from '../webhooks.ts';
import { type Accepted, acceptSubscription } from './subscription.input.ts';
import { lockSubscription, readSubscription, rereadSubscription, type SubscriptionRow } from './subscription.ts';
import { subscriptionView } from './subscription.view.ts';
import { tell } from './tell.ts';

/** PATCH /webhook_subscriptions/:id: only what is sent changes, and failure_count never does (decision D131). */
export async function updateSubscription(
  app: Webhooks,
  request: UpdateSubscriptionRequest__Output,
  call: Call,
): Promise<SubscriptionResponse | Reply<SubscriptionResponse>> {
  if (!request.webhook_subscription) throw missing('webhook_subscription');
  const { caller } = call;
  const { id } = await readSubscription(app.db, caller, request.id);
  const accepted = await acceptSubscription(request.webhook_subscription, false, app);
  return change<SubscriptionResponse>({ db: app.db, call, response: 'store.webhooks.v1.SubscriptionResponse' }, async (em) => {
    const now = app.db.clock.now();
    const stored = await lockSubscription(em, caller, id, now);
    const changed = changesOf(stored, accepted);
    if (changed.length === 0) return { webhook_subscription: subscriptionView(stored) };
    // active: false leaves disabled_at as it is; active: true clears it.
    await sql(
      em,
      `update webhooks.subscriptions set url = coalesce($2, url), events = coalesce($3, events), ${eventsAfter}, active = coalesce($4, active),
         disabled_at = case when $4 then null else disabled_at end, updated_at = $5 where id = $1 and store_id = $6`,
      [id, accepted.url ?? null, accepted.events ?? null, accepted.active ?? null, now, caller.storeId],
    );
    // Switched off, its pending retries end for good, as those of a disabled one do (decision D152).
    if (accepted.active === false) await skipPending(em, [id], now);
    const pick = (from: object) => Object.fromEntries(changed.map((name) => [name, (from as Record<string, unknown>)[name]]));
    await tell(em, app, caller, { verb: 'update', id, before: pick(stored), after: pick(accepted) });
    return { webhook_subscription: subscriptionView(await rereadSubscription(em, caller, id, now)) };
  });
}

/** An event that it lists only now is read in the log from here on (D130). */
const eventsAfter = `events_after = case when $3::text[] is null then events_after else (
  select jsonb_object_agg(name, coalesce(events_after -> name, to_jsonb(s.last_sequence)))
  from webhooks.stores s, unnest($3::text[]) as name where s.id = $6) end`;

function changesOf(stored: SubscriptionRow, accepted: Accepted): (keyof Accepted)[] {
  return (['url', 'events', 'active'] as const).filter(
    (name) => accepted[name] !== undefined && JSON.stringify(accepted[name]) !== JSON.stringify(stored[name]),
  );
}
