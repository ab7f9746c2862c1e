/** A notice for staff about a problem of a subscription or one of its deliveries. */
import { defineEntity, p } from '@mikro-orm/core';
import { storeKeyColumns, timeColumn } from '@store/db';
import type { NoticeKind } from '../deliveries/attempt-ended.ts';

export const Notice = defineEntity({
  name: 'Notice',
  tableName: 'notices',
  properties: {
    ...storeKeyColumns(),
    subscriptionId: p.bigint('number'),
    kind: p.text().$type<NoticeKind>(),
    url: p.text(),
    failureCount: p.integer(),
    deliveryId: p.bigint('number').nullable(),
    createdAt: timeColumn(),
  },
  indexes: [{ name: 'notices_created_at', properties: ['createdAt'] }],
});
