import { buildIndexes, dropEarlier, earlierIds, storeColumns, storeKeys } from '@store/db';
import { indexOutbox } from '@store/events';
import { CreateWebhooks } from './1-webhooks.ts';
import { AddLeaseOwner } from './2-lease-owner.ts';
import { AddSubscriptionStart } from './3-subscription-start.ts';
import { AddEventRequest } from './4-event-request.ts';
import { AddReplayFailures } from './6-replay-failures.ts';
import { DropEventIds } from './10-event-ids.ts';

/** What the release before still finds rows by stays for it, as `earlier_…`. */
const indexesOfStore = [
  'create unique index concurrently if not exists deliveries_of_event on webhooks.deliveries (store_id, subscription_id, sequence) where not manual',
  'create index concurrently if not exists deliveries_asked_for on webhooks.deliveries (store_id, subscription_id, sequence) where manual',
  'create index concurrently if not exists attempts_newest on webhooks.attempts (store_id, subscription_id, id desc)',
  'create index concurrently if not exists attempts_of_delivery on webhooks.attempts (store_id, delivery_id)',
  'create unique index concurrently if not exists events_once on webhooks.events (store_id, event_id)',
  ...earlierIds('webhooks', 'deliveries'),
  ...['recent', 'delivery'].flatMap((name) => [
    `alter index if exists webhooks.attempts_${name} rename to earlier_attempts_${name}`,
    dropEarlier('webhooks', 'attempts', `earlier_attempts_${name}`),
  ]),
  ...['deliveries_once', 'deliveries_manual', 'deliveries_lease', 'attempts_open', 'subscriptions_key'].map(
    (name) => `drop index concurrently if exists webhooks.${name}`,
  ),
  // No index has what the end of an attempt writes any more: on a page with room it writes the row alone.
  'alter table webhooks.attempts set (fillfactor = 50)',
];

/** Of two indexes that cost the same PostgreSQL takes the newer one, and a store may have deleted many: so this one is made after the key. */
const livingSubscriptions = [
  'create index concurrently if not exists subscriptions_living on webhooks.subscriptions (store_id, id desc) where deleted_at is null',
  'drop index concurrently if exists webhooks.subscriptions_store',
];

export const migrations = {
  '1-webhooks': CreateWebhooks,
  '2-lease-owner': AddLeaseOwner,
  '3-subscription-start': AddSubscriptionStart,
  '4-event-request': AddEventRequest,
  '5-outbox-of-store': buildIndexes(indexOutbox('webhooks')),
  '6-replay-failures': AddReplayFailures,
  // The store of an attempt's subscription: its delivery may be gone before it.
  ...storeColumns('webhooks', 7, [
    { table: 'attempts', column: 'subscription_id', parent: 'subscriptions', byId: true },
    { table: 'subscription_secrets', column: 'subscription_id', parent: 'subscriptions' },
  ]),
  '9-indexes-of-store': buildIndexes(...indexesOfStore),
  '10-event-ids': DropEventIds,
  ...storeKeys('webhooks', 11, [
    { table: 'subscriptions', namedBy: [{ table: 'subscription_secrets', column: 'subscription_id', also: 'on delete cascade' }] },
    { table: 'subscription_secrets', key: ['subscription_id', 'version'] },
    { table: 'deliveries' },
    { table: 'attempts' },
    { table: 'notices', instead: { index: 'notices_store' } },
  ]),
  '14-living-subscriptions': buildIndexes(...livingSubscriptions),
};
