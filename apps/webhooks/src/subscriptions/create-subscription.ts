import { messageType } from '@store/contract';
import { type EntityManager, insertRecord, sql } from '@store/db';
import { sent } from '@store/input';
import type { SubscriptionResponse } from '@store/protos/webhooks/v1.ts';
import { type Caller, Reply } from '@store/rpc';
import { actorOf, answerSeal, change, notCached } from '@store/service';
import { lockStore } from '../events/event-log.ts';
import { newSecret, storeSecret } from '../secrets.ts';
import { tables } from '../tables.ts';
import type { Verb, Webhooks } from '../webhooks.ts';
import { countSubscriptions } from './find-subscription.ts';
import { recordAction } from './record-action.ts';
import { acceptSubscription } from './subscription.input.ts';
import { invalidSubscription, Subscription, type SubscriptionRecord, subscriptionsMax } from './subscription.ts';
import { subscriptionView } from './subscription.view.ts';

/** POST /webhook_subscriptions: the only answer to a key that contains the signing secret. */
export const createSubscription: Verb<'CreateSubscription'> = async (app, request, call) => {
  const { caller } = call;
  const { url, events } = await acceptSubscription(sent('webhook_subscription', request.webhook_subscription), true, app);
  const answer = await change<SubscriptionResponse>(
    app,
    call,
    async (em) => {
      const subscription = await insert(em, app, caller, { url: url!, events: events! });
      const secret = newSecret();
      await storeSecret(em, app.keyRing, { storeId: caller.storeId, subscriptionId: subscription.id }, 1, secret);
      await recordAction(em, app, call, { action: 'create', id: subscription.id, before: null, after: { url, events, active: true } });
      // In a dry run the subscription is not stored, so a secret would verify nothing (D247).
      return { webhook_subscription: { ...subscriptionView(subscription), ...(!caller.dryRun && { secret }) } };
    },
    { seal: answerSeal(app.keyRing, caller, actorOf(caller)) },
  );
  return withStart(app, caller, notCached(answer));
};

/** Counted under the store's lock, so that concurrent creations cannot exceed the limit. */
async function insert(
  em: EntityManager,
  { db }: Webhooks,
  { storeId, actor }: Caller,
  wanted: { url: string; events: string[] },
): Promise<SubscriptionRecord> {
  const { last_sequence: last } = await lockStore(em, storeId);
  if ((await countSubscriptions(em, storeId)) >= subscriptionsMax)
    throw invalidSubscription([`Webhook subscriptions are limited to ${subscriptionsMax} per store`]);
  // A key that was revoked during its request creates a subscription that receives nothing.
  const [revoked] = await sql(em, tables.selectFrom('revoked_keys').select('revoked_at').where('key_id', '=', actor.keyId));
  return insertRecord(
    em,
    Subscription,
    {
      key_id: actor.keyId,
      key_name: actor.keyName,
      key_expires_at: actor.keyExpiresAtMs > 0 ? new Date(actor.keyExpiresAtMs) : null,
      key_revoked_at: revoked?.revoked_at ?? null,
      ...wanted,
      created_after: last,
      events_after: Object.fromEntries(wanted.events.map((name) => [name, last])),
    },
    db.clock.now(),
  );
}

/** Returns the sequence before the subscription's first event, for `GET /events?after=` (D254). */
async function withStart(app: Webhooks, caller: Caller, answer: Reply<SubscriptionResponse>): Promise<Reply<SubscriptionResponse>> {
  const id = answer.message?.webhook_subscription?.id ?? replayedId(answer.options.bytes!);
  const start = tables.selectFrom('subscriptions').select('created_after').where('store_id', '=', caller.storeId);
  const [row] = await app.db.read(start.where('id', '=', Number(id)));
  const headers = { ...answer.options.headers, ...(row && { 'X-Service-Sequence': String(row.created_after) }) };
  return new Reply(answer.message, { ...answer.options, headers });
}

function replayedId(bytes: Uint8Array): number {
  const type = messageType('store.webhooks.v1.SubscriptionResponse');
  const { webhook_subscription } = type.toObject(type.decode(bytes), { longs: Number }) as { webhook_subscription: { id: number } };
  return webhook_subscription.id;
}
