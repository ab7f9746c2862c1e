/**
 * Statements that name no store, each with the reason why it may. An exception is identified by its file and by words of
 * the SQL text, so that a new statement in the same file is checked like any other.
 */
export interface Exception {
  /** The file that runs it. */
  file: string;
  /** Words of the text, with white space collapsed; absent: every statement of the file. */
  says?: string;
  reason: string;
}

const relay = 'The relay carries all stores’ events in the order in which they were committed';
const housekeeping = 'Housekeeping goes by age or size and shows nothing of what it removes or adds up';
const rotation = 'Keys are changed for all stores at once: rows are counted by the key that they name, and sealed anew under another';
const claims = 'One process delivers for all stores: what is due is found by time, and each row carries its store with it';
const keyDecides = 'What is presented (a key, a session, an e-mail address) decides which store the caller is of';

export const exceptions: Exception[] = [
  { file: 'libs/events/src/outbox/outbox-rows.ts', reason: relay },
  { file: 'libs/events/src/outbox/shards.ts', reason: relay },
  { file: 'libs/events/src/consume/consume.ts', says: 'where received_at <', reason: housekeeping },
  { file: 'libs/service/src/named-keys.ts', reason: rotation },
  { file: 'libs/db/src/compact-sums.ts', reason: housekeeping },
  { file: 'libs/service/src/delete-old.ts', says: 'where one.created_at <', reason: housekeeping },
  { file: 'libs/db/src/idempotency.ts', says: 'where created_at <', reason: housekeeping },
  { file: 'apps/webhooks/src/events/forget-old.ts', reason: housekeeping },
  { file: 'apps/webhooks/src/events/raise-sequences.ts', reason: 'After a restore the number of every store is raised alike' },
  {
    file: 'apps/catalog/src/promotions/announce-promotions.ts',
    says: 'select id, store_id from catalog.promotions where not announced_running and',
    reason: 'Promotions of all stores start and end by the clock; each is then announced in a unit of its own store',
  },
  {
    file: 'apps/customers/src/loyalty-tiers/rank-customers.ts',
    says: 'select "store_id" from "customers"."tier_changes"',
    reason: 'Stores whose tiers changed; the customers of each are then ranked in a unit of that store',
  },
  {
    file: 'apps/sales/src/gift-cards/sweep-expired.ts',
    says: 'select id, time_zone from sales.stores where id in (select store_id from sales.gift_cards',
    reason: 'Stores with cards whose time is over; the cards of each are then marked in a unit of that store',
  },
  { file: 'apps/gateway/src/keys/find-key.ts', says: 'where "k"."hash" in ($1', reason: keyDecides },
  { file: 'apps/gateway/src/staff/find-session.ts', says: '"t"."token_hash" = $', reason: keyDecides },
  { file: 'apps/gateway/src/staff/create-staff-session.ts', says: 'where "email" = $1', reason: keyDecides },
  { file: 'apps/gateway/src/staff/invite-staff-user.ts', says: 'and "invite_hash" = $', reason: keyDecides },
  {
    file: 'apps/gateway/src/staff/create-staff-user.ts',
    says: 'select "id" from "gateway"."staff_users" where "email" = $1',
    reason: 'An e-mail address is one person’s over all stores, as a login names no store',
  },
  { file: 'apps/gateway/src/keys/key-usage.ts', says: 'where "hash" in ($1', reason: keyDecides },
  {
    file: 'apps/gateway/src/keys/key-usage.ts',
    says: 'update gateway.api_keys k set last_used_at',
    reason: 'Counters of all stores’ keys are written at once, each by the store and id of a key that was authenticated',
  },
  {
    file: 'libs/service/src/republish.ts',
    reason: 'An operator sends the records of all stores again; those of each are read in a unit of its own',
  },
  { file: 'libs/service/src/schema-metrics.ts', reason: 'Operators are shown counts over all stores and no row of any' },
  {
    file: 'apps/sales/src/store-credit/sweep-intents.ts',
    says: 'from sales.store_credit_intents where created_at <',
    reason: 'Intents of all stores are found by age; each is then given back in a unit of its own store',
  },
  { file: 'apps/webhooks/src/deliveries/claim.ts', reason: claims },
  { file: 'apps/webhooks/src/deliveries/leases.ts', reason: claims },
  {
    file: 'apps/webhooks/src/deliveries/skip-deliveries.ts',
    says: `update webhooks.deliveries set state = 'skipped', first_pending = false, ended_at = $2 where subscription_id = any($1::bigint[])`,
    reason: 'Pending deliveries of subscriptions that the same transaction has locked, by store or by claim',
  },
];

/** The exception that covers a statement; `at` is `path:line`. */
export function exceptionOf(at: string, text: string): Exception | undefined {
  const file = at.replace(/:\d+$/, '');
  const folded = text.replace(/\s+/g, ' ');
  return exceptions.find((one) => file === one.file && folded.includes(one.says ?? ''));
}
