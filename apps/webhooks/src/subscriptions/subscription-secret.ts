/** A signing secret of a subscription; a rotated one is kept while a delivery that uses it is pending. */
import { defineEntity, p } from '@mikro-orm/core';
import { sameStore, storeKeyColumn, timeColumn } from '@store/db';
import { Subscription } from './subscription.ts';

export const SubscriptionSecret = defineEntity({
  name: 'SubscriptionSecret',
  tableName: 'subscription_secrets',
  properties: {
    storeId: storeKeyColumn(),
    subscriptionId: p.bigint('number').primary(),
    subscription: () => sameStore(Subscription, { table: 'subscription_secrets', column: 'subscription_id', onDelete: 'cascade' }),
    version: p.integer().primary(),
    sealed: p.text(),
    /** When a newer version replaced it; null: it signs new deliveries. */
    retiredAt: timeColumn().nullable(),
  },
  indexes: [{ name: 'subscription_secrets_retired', properties: ['retiredAt'], where: 'retired_at is not null' }],
});
