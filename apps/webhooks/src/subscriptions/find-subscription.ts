/** Finds subscriptions by owner: "only the creating key's own subscriptions are visible or actionable". */
import { type FilterQuery, LockMode } from '@mikro-orm/core';
import { amongKeys, type Db, type EntityManager, sql } from '@store/db';
import { parseId } from '@store/input';
import { notFound } from '@store/problem';
import type { Caller } from '@store/rpc';
import { readRecord } from '@store/service';
import type { RowKey } from '../row-key.ts';
import { tables } from '../tables.ts';
import { Subscription, type SubscriptionRecord, subscriptionsMax } from './subscription.ts';

const resource = 'Webhook subscription';

/** The visible columns of a subscription, by property name; `secretVersion` finds its secret. */
const columns = [
  'id',
  'store_id as storeId',
  'key_id as keyId',
  'key_name as keyName',
  'key_expires_at as keyExpiresAt',
  'key_revoked_at as keyRevokedAt',
  'url',
  'events',
  'active',
  'failure_count as failureCount',
  'last_triggered_at as lastTriggeredAt',
  'disabled_at as disabledAt',
  'secret_version as secretVersion',
  'created_at as createdAt',
  'updated_at as updatedAt',
  'deleted_at as deletedAt',
] as const;

const shown = () => tables.selectFrom('subscriptions').select(columns);

/** The caller's own: the key's, or all of the store's for staff. */
function ownedBy({ storeId, actor }: Caller) {
  const ofStore = shown().where('store_id', '=', storeId).where('deleted_at', 'is', null);
  return actor.type === 'key' ? ofStore.where('key_id', '=', actor.keyId) : ofStore;
}

export type ShownSubscription = Omit<SubscriptionRecord, 'createdAfter' | 'eventsAfter' | 'replayFailures'>;

export function readSubscriptions(db: Db, caller: Caller): Promise<ShownSubscription[]> {
  return db.read(ownedBy(caller).orderBy('id', 'desc').limit(subscriptionsMax));
}

/** The caller's subscription, or the 404 of an unknown one. */
export function readSubscription(db: Db, caller: Caller, idText: string | undefined): Promise<ShownSubscription> {
  return readRecord(db, idText, (id) => ownedBy(caller).where('id', '=', id), resource);
}

/** These subscriptions as the live stream shows them, deleted ones included. */
export function subscriptionsByKey(db: Db, keys: RowKey[]): Promise<ShownSubscription[]> {
  return db.read(shown().where(amongKeys(keys)).orderBy('id'));
}

/** The caller's subscription, locked until the commit against claims, recorded results and fan-out. */
export async function lockSubscription(
  em: EntityManager,
  { actor }: Caller,
  asked: number | string | undefined,
): Promise<SubscriptionRecord> {
  const id = typeof asked === 'number' ? asked : parseId(asked);
  if (id === undefined) throw notFound(resource);
  const own = actor.type === 'key' ? { keyId: actor.keyId } : {};
  const wanted: FilterQuery<SubscriptionRecord> = { id, deletedAt: null, ...own };
  const record = await em.findOne(Subscription, wanted, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!record) throw notFound(resource);
  return record;
}

export async function countSubscriptions(em: EntityManager, storeId: number): Promise<number> {
  const ofStore = tables.selectFrom('subscriptions').where('store_id', '=', storeId).where('deleted_at', 'is', null);
  const [row] = await sql(
    em,
    ofStore.select(({ fn }) => fn.countAll<number>().as('count')),
  );
  return row!.count;
}
