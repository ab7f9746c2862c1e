/** An attempt's row in the log, written before its POST. */
import { defineEntity, p } from '@mikro-orm/core';
import { storeKeyColumns, timeColumn } from '@store/db';

export const DeliveryAttempt = defineEntity({
  name: 'DeliveryAttempt',
  tableName: 'attempts',
  properties: {
    ...storeKeyColumns(),
    subscriptionId: p.bigint('number'),
    deliveryId: p.bigint('number'),
    /** 1 to 5; the number of a lost attempt is used again. */
    number: p.integer(),
    event: p.text(),
    /** 0: no response. */
    responseStatus: p.integer().defaultRaw('0'),
    durationMs: p.integer().defaultRaw('0'),
    success: p.boolean().defaultRaw('false'),
    /** Null while the POST is in flight; lost: the process that sent it ended before the answer. */
    outcome: p.text().nullable(),
    createdAt: timeColumn(),
    endedAt: timeColumn().nullable(),
  },
  indexes: [
    {
      name: 'attempts_newest',
      expression: 'create index attempts_newest on webhooks.attempts (store_id, subscription_id, id desc)',
    },
    { name: 'attempts_of_delivery', properties: ['storeId', 'deliveryId'] },
    { name: 'attempts_created_at', properties: ['createdAt'] },
  ],
});
