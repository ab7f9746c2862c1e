/** A notice for staff about a problem of a subscription or one of its deliveries. */
import { defineEntity, p } from '@mikro-orm/core';
import { idColumn, storeIdColumn, timeColumn } from '@store/db';
import type { NoticeKind } from '../deliveries/attempt-ended.ts';

export const Notice = defineEntity({
  name: 'Notice',
  tableName: 'notices',
  properties: {
    id: idColumn(),
    storeId: storeIdColumn(),
    subscriptionId: p.bigint('number'),
    kind: p.text().$type<NoticeKind>(),
    url: p.text(),
    failureCount: p.integer(),
    deliveryId: p.bigint('number').nullable(),
    createdAt: timeColumn(),
  },
  indexes: [
    { name: 'notices_store', expression: 'create index notices_store on webhooks.notices (store_id, id desc)' },
    { name: 'notices_created_at', properties: ['createdAt'] },
  ],
});
