/** An attempt's row in the log, written before its POST. */
import { defineEntity, p } from '@mikro-orm/core';
import { idColumn, timeColumn } from '@store/db';

export const DeliveryAttempt = defineEntity({
  name: 'DeliveryAttempt',
  tableName: 'attempts',
  properties: {
    id: idColumn(),
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
    { name: 'attempts_recent', expression: 'create index attempts_recent on webhooks.attempts (subscription_id, id desc)' },
    { name: 'attempts_open', properties: ['subscriptionId'], where: 'ended_at is null' },
    { name: 'attempts_delivery', properties: ['deliveryId'] },
    { name: 'attempts_created_at', properties: ['createdAt'] },
  ],
});
