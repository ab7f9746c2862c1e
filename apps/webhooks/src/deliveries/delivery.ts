/** A delivery of one event to one subscription. */
import { defineEntity, p } from '@mikro-orm/core';
import { storeKeyColumns, timeColumn } from '@store/db';
import type { DeliveryState } from './attempt-ended.ts';

export const Delivery = defineEntity({
  name: 'Delivery',
  tableName: 'deliveries',
  properties: {
    ...storeKeyColumns(),
    subscriptionId: p.bigint('number'),
    sequence: p.bigint('number'),
    record: p.text(),
    /** Requested by a person (replay, resend): its failure is not counted (D140). */
    manual: p.boolean().defaultRaw('false'),
    state: p.text().$type<DeliveryState['state']>().defaultRaw(`'pending'`),
    /** Attempts that ended; lost ones are not among them. */
    attempts: p.integer().defaultRaw('0'),
    dueAt: timeColumn(),
    leaseUntil: timeColumn().nullable(),
    leaseToken: p.uuid().nullable(),
    /** The number of the process that claimed it last (docs/decisions/0043). */
    leaseOwner: p.integer().nullable(),
    secretVersion: p.integer(),
    /** The first attempt has not ended: later events of the record wait. */
    firstPending: p.boolean().defaultRaw('true'),
    /** Waits behind an earlier first attempt of the same subscription and record (D141). */
    held: p.boolean().defaultRaw('false'),
    createdAt: timeColumn(),
    endedAt: timeColumn().nullable(),
  },
  checks: [
    {
      name: 'deliveries_state_check',
      property: 'state',
      expression: `state in ('pending', 'leased', 'succeeded', 'failed', 'skipped')`,
    },
  ],
  uniques: [{ name: 'deliveries_of_event', properties: ['storeId', 'subscriptionId', 'sequence'], where: 'not manual' }],
  indexes: [
    { name: 'deliveries_asked_for', properties: ['storeId', 'subscriptionId', 'sequence'], where: 'manual' },
    { name: 'deliveries_due', properties: ['subscriptionId', 'dueAt', 'id'], where: `state = 'pending' and not held` },
    { name: 'deliveries_held', properties: ['subscriptionId', 'record', 'id'], where: 'held' },
    { name: 'deliveries_first', properties: ['subscriptionId', 'record'], where: 'first_pending' },
    { name: 'deliveries_leased', properties: ['subscriptionId'], where: `state = 'leased'` },
    { name: 'deliveries_created_at', properties: ['createdAt'] },
  ],
});
