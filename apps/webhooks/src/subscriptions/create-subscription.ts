import { messageType } from '@store/contract';
import { type EntityManager, sqlOne } from '@store/db';
import { missing } from '@store/problem';
import type { CreateSubscriptionRequest__Output } from '@store/protos/webhooks/v1/CreateSubscriptionRequest.ts';
import type { SubscriptionResponse } from '@store/protos/webhooks/v1/SubscriptionResponse.ts';
import { type Call, type Caller, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Webhooks } from '../webhooks.ts';
import { lockStore } from './lock-store.ts';
import { answerSeal, notCached } from './sealed-answer.ts';
import { newSecret, storeSecret } from './secrets.ts';
import { acceptSubscription } from './subscription.input.ts';
import { invalidSubscription, rereadSubscription, subscriptionsMax } from './subscription.ts';
import { subscriptionView } from './subscription.view.ts';
import { tell } from './tell.ts';

const created = 201;

/** POST /webhook_subscriptions: the one answer of a key's in which the signing secret appears. */
export async function createSubscription(
  app: Webhooks,
  request: CreateSubscriptionRequest__Output,
  call: Call,
): Promise<Reply<SubscriptionResponse>> {
  if (!request.webhook_subscription) throw missing('webhook_subscription');
  const { caller } = call;
  const { url, events } = await acceptSubscription(request.webhook_subscription, true, app);
  const options = {
    db: app.db,
    call,
    response: 'store.webhooks.v1.SubscriptionResponse',
    status: created,
    seal: answerSeal(app, caller),
  };
  const answer = await change<SubscriptionResponse>(options, async (em) => {
    const now = app.db.clock.now();
    await lockStore(em, caller.storeId);
    await refuseOverLimit(em, caller.storeId);
    const id = await insert(em, caller, { url: url!, events: events! }, now);
    const secret = newSecret();
    await storeSecret(em, app.keyRing, { storeId: caller.storeId, subscriptionId: id }, 1, secret);
    await tell(em, app, caller, { verb: 'create', id, before: null, after: { url, events, active: true } });
    return { webhook_subscription: { ...subscriptionView(await rereadSubscription(em, caller, id, now)), secret } };
  });
  return withStart(app, caller, notCached(answer));
}

/** Says where the subscription's first event is to be looked for: `GET /events?after=` takes it (D254). */
async function withStart(app: Webhooks, caller: Caller, answer: Reply<SubscriptionResponse>): Promise<Reply<SubscriptionResponse>> {
  const id = answer.message?.webhook_subscription?.id ?? replayedId(answer.options.bytes!);
  const [row] = await app.db.read<{ after: string }>(
    'subscription-start',
    'select created_after::text as after from webhooks.subscriptions where store_id = $1 and id = $2',
    [caller.storeId, id],
  );
  const headers = { ...answer.options.headers, ...(row && { 'X-Service-Sequence': row.after }) };
  return new Reply(answer.message, { ...answer.options, headers });
}

/** An answer that is replayed for its Idempotency-Key is bytes. */
function replayedId(bytes: Uint8Array): string {
  const type = messageType('store.webhooks.v1.SubscriptionResponse');
  const { webhook_subscription } = type.toObject(type.decode(bytes), { longs: String }) as { webhook_subscription: { id: string } };
  return webhook_subscription.id;
}

/** Counted under the store's lock, so that of many at once only as many as fit succeed. */
async function refuseOverLimit(em: EntityManager, storeId: number): Promise<void> {
  const { count } = await sqlOne<{ count: number }>(
    em,
    'select count(*)::int as count from webhooks.subscriptions where store_id = $1 and deleted_at is null',
    [storeId],
  );
  if (count >= subscriptionsMax) throw invalidSubscription([`Webhook subscriptions are limited to ${subscriptionsMax} per store`]);
}

/** A key that was revoked while its request was on the way makes a subscription that stays silent. */
async function insert(
  em: EntityManager,
  { storeId, actor }: Caller,
  wanted: { url: string; events: string[] },
  now: Date,
): Promise<string> {
  const { id } = await sqlOne<{ id: string }>(
    em,
    `insert into webhooks.subscriptions (store_id, key_id, key_name, key_expires_at, key_revoked_at, url, events, created_at, updated_at,
       created_after, events_after)
     select s.id, $2, $3, $4, (select revoked_at from webhooks.revoked_keys where key_id = $2), $5, $6, $7, $7,
       s.last_sequence, (select jsonb_object_agg(name, s.last_sequence) from unnest($6::text[]) as name)
     from webhooks.stores s where s.id = $1 returning id::text`,
    [storeId, actor.keyId, actor.keyName, actor.keyExpiresAtMs > 0 ? new Date(actor.keyExpiresAtMs) : null, wanted.url, wanted.events, now],
  );
  return id;
}
