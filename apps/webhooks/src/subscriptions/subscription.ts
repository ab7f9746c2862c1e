/** A webhook subscription: its table, its owner, and whether it may receive. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { storeKeyColumns, timeColumn, timeColumns } from '@store/db';
import { Problem } from '@store/problem';
import { failuresMax } from '../deliveries/attempt-ended.ts';

/** "At most 25 subscriptions per store": disabled ones and those of other or revoked keys count too (D128). */
export const subscriptionsMax = 25;

export const Subscription = defineEntity({
  name: 'WebhookSubscription',
  tableName: 'subscriptions',
  properties: {
    ...storeKeyColumns(),
    keyId: p.bigint('number'),
    keyName: p.text(),
    keyExpiresAt: timeColumn().nullable(),
    keyRevokedAt: timeColumn().nullable(),
    url: p.text(),
    events: p.array().columnType('text[]'),
    active: p.boolean().default(true),
    failureCount: p.integer().default(0),
    /** Replays that finally failed since the last success, which failureCount leaves out (D140). */
    replayFailures: p.integer().default(0),
    lastTriggeredAt: timeColumn().nullable(),
    disabledAt: timeColumn().nullable(),
    /** Version of the secret that signs new deliveries. */
    secretVersion: p.integer().default(1),
    ...timeColumns(),
    /** The row is kept until its deliveries are deleted, so that a deletion is never slow. */
    deletedAt: timeColumn().nullable(),
    /** The end of the store's log when it was created (D254). */
    createdAfter: p.bigint('number').defaultRaw('0'),
    /** For each listed event: the end of the log when the subscription first listed it (D130). */
    eventsAfter: p.json<Record<string, number>>().defaultRaw(`'{}'`),
  },
  indexes: [
    {
      name: 'subscriptions_living',
      expression: 'create index subscriptions_living on webhooks.subscriptions (store_id, id desc) where deleted_at is null',
    },
    { name: 'subscriptions_deleted', properties: ['deletedAt'], where: 'deleted_at is not null' },
  ],
});

export type SubscriptionRecord = InferEntity<typeof Subscription>;

/** It exists, is active, and its key is neither revoked nor expired (Delivery 6); `deliverable` says the same in SQL. */
export function mayReceive(
  { active, deletedAt, keyRevokedAt, keyExpiresAt }: Pick<SubscriptionRecord, 'active' | 'deletedAt' | 'keyRevokedAt' | 'keyExpiresAt'>,
  now: Date,
): boolean {
  return active && !deletedAt && !keyRevokedAt && (!keyExpiresAt || now < keyExpiresAt);
}

/** `{error: "Validation failed", errors: [...]}`: here only the message itself. */
export function invalidSubscription(errors: string[]): Problem {
  return new Problem('invalid', 'Validation failed', { errors });
}

/** Time from the latest attempt until a subscription whose replays failed may be asked for another. */
const replayPauseMs = 600_000;

/** Refuses a replay after too many that failed; after the pause they are counted from 0 (D140). */
export function refuseFailing(subscription: SubscriptionRecord, now: Date): void {
  if (subscription.replayFailures < failuresMax) return;
  if (now.getTime() - Number(subscription.lastTriggeredAt) < replayPauseMs)
    throw invalidSubscription([`The last ${failuresMax} replays failed; try again ten minutes after the last attempt or after a success`]);
  subscription.replayFailures = 0;
}

/** Refuses to send again to a subscription that may not receive. */
export function refuseInactive(subscription: SubscriptionRecord, now: Date): void {
  if (!mayReceive(subscription, now)) throw invalidSubscription(['Webhook subscription is not active']);
}
