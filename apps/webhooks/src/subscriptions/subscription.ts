/** A webhook subscription: its table, whose it is, and whether it may receive. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { idColumn, storeIdColumn, timeColumn, timeColumns } from '@store/db';
import { Problem } from '@store/problem';

/** "At most 25 subscriptions per store": disabled ones and those of other or revoked keys count too (D128). */
export const subscriptionsMax = 25;

export const Subscription = defineEntity({
  name: 'WebhookSubscription',
  tableName: 'subscriptions',
  properties: {
    id: idColumn(),
    storeId: storeIdColumn(),
    keyId: p.bigint('number'),
    keyName: p.text(),
    keyExpiresAt: timeColumn().nullable(),
    keyRevokedAt: timeColumn().nullable(),
    url: p.text(),
    events: p.array().columnType('text[]'),
    active: p.boolean().default(true),
    failureCount: p.integer().default(0),
    lastTriggeredAt: timeColumn().nullable(),
    disabledAt: timeColumn().nullable(),
    /** Version of the secret that new deliveries are signed with. */
    secretVersion: p.integer().default(1),
    ...timeColumns(),
    /** Kept until its deliveries are gone, so that deleting one is never slow. */
    deletedAt: timeColumn().nullable(),
    /** Where the store's log ended when it was made (D254). */
    createdAfter: p.bigint('number').defaultRaw('0'),
    /** Of each event that it lists: where the log ended when it came to list it (D130). */
    eventsAfter: p.json<Record<string, number>>().defaultRaw(`'{}'`),
  },
  indexes: [
    {
      name: 'subscriptions_store',
      expression: 'create index subscriptions_store on webhooks.subscriptions (store_id, id desc) where deleted_at is null',
    },
    { name: 'subscriptions_key', properties: ['keyId'], where: 'deleted_at is null' },
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

/** `{error: "Validation failed", errors: [...]}`: the sentence stands alone here. */
export function invalidSubscription(errors: string[]): Problem {
  return new Problem('invalid', 'Validation failed', { errors });
}

/** Nothing is sent again to a subscription that may not receive. */
export function refuseInactive(subscription: SubscriptionRecord, now: Date): void {
  if (!mayReceive(subscription, now)) throw invalidSubscription(['Webhook subscription is not active']);
}
