import { buildIndexes, dropEarlier, earlierIds, statements, storeColumns, storeKeys } from '@store/db';
import { indexOutbox, storeInInbox } from '@store/events';
import { CreateWebhooks } from './1-webhooks.ts';
import { AddSubscriptionStart } from './3-subscription-start.ts';

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
  // The process that claimed the delivery last (docs/decisions/0043); null: one of an earlier release, whose leases expire.
  '2-lease-owner': statements('alter table webhooks.deliveries add column lease_owner int'),
  '3-subscription-start': AddSubscriptionStart,
  // The request that caused an event (D206); events of earlier releases have none.
  '4-event-request': statements(
    'alter table webhooks.events add column request_id text',
    'create index events_request on webhooks.events (store_id, request_id) where request_id is not null',
  ),
  '5-outbox-of-store': buildIndexes(indexOutbox('webhooks')),
  // Replays that finally failed since the last success (D140).
  '6-replay-failures': statements('alter table webhooks.subscriptions add column replay_failures int not null default 0'),
  // The store of an attempt's subscription: its delivery may be gone before it.
  ...storeColumns('webhooks', 7, [
    { table: 'attempts', column: 'subscription_id', parent: 'subscriptions', byId: true },
    { table: 'subscription_secrets', column: 'subscription_id', parent: 'subscriptions' },
  ]),
  '9-indexes-of-store': buildIndexes(...indexesOfStore),
  // An event is logged once in its store, as `events_once` says.
  '10-event-ids': statements('alter table webhooks.events drop constraint events_event_id_key'),
  ...storeKeys('webhooks', 11, [
    { table: 'subscriptions', namedBy: [{ table: 'subscription_secrets', column: 'subscription_id', also: 'on delete cascade' }] },
    { table: 'subscription_secrets', key: ['subscription_id', 'version'] },
    { table: 'deliveries' },
    { table: 'attempts' },
    { table: 'notices', instead: { index: 'notices_store' } },
  ]),
  '14-living-subscriptions': buildIndexes(...livingSubscriptions),
  '15-inbox-of-store': statements(storeInInbox('webhooks')),
};
