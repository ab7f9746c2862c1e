/** A subscription's row: what the verbs read and lock of it. */

import { type Db, type EntityManager, sql } from '@store/db';
import { parseId } from '@store/input';
import { notFound, Problem } from '@store/problem';
import type { Caller } from '@store/rpc';
import { deliverable } from './deliverable.ts';

/** "At most 25 subscriptions per store": disabled ones and those of other or revoked keys count too (decision D128). */
export const subscriptionsMax = 25;

export interface SubscriptionRow {
  id: string;
  key_id: string;
  key_name: string;
  url: string;
  events: string[];
  active: boolean;
  failure_count: number;
  last_triggered_at: string | null;
  disabled_at: string | null;
  secret_version: number;
  created_at: string;
  updated_at: string;
  deliverable: boolean;
}

/** $1 is the store, $2 the time. */
const columns = `s.id::text, s.key_id::text, s.key_name, s.url, s.events, s.active, s.failure_count, s.last_triggered_at::text,
  s.disabled_at::text, s.secret_version, s.created_at::text, s.updated_at::text, ${deliverable('s', '$2')} as deliverable`;
const ofStore = `select ${columns} from webhooks.subscriptions s where s.store_id = $1 and s.deleted_at is null`;

/**
 * Whose subscriptions a caller acts on: "only the creating key's own subscriptions are visible or
 * actionable"; staff act on all of the store's.
 */
function ownCondition({ actor }: Caller): { condition: string; values: number[] } {
  return actor.type === 'key' ? { condition: ' and s.key_id = $3', values: [actor.keyId] } : { condition: '', values: [] };
}

export async function readSubscriptions(db: Db, caller: Caller): Promise<SubscriptionRow[]> {
  const { condition, values } = ownCondition(caller);
  return db.read<SubscriptionRow>('list-subscriptions', `${ofStore}${condition} order by s.id desc`, [
    caller.storeId,
    db.clock.now(),
    ...values,
  ]);
}

/** The caller's subscription, or the 404 that an unknown one gives. */
export async function readSubscription(db: Db, caller: Caller, idText: string | undefined): Promise<SubscriptionRow> {
  const id = subscriptionId(idText);
  const { condition, values } = ownCondition(caller);
  const [row] = await db.read<SubscriptionRow>('get-subscription', `${ofStore}${condition} and s.id = $${values.length + 3}`, [
    caller.storeId,
    db.clock.now(),
    ...values,
    id,
  ]);
  if (!row) throw notFound(resource);
  return row;
}

/** Rows of these ids and stores as the live stream tells of them, deleted ones with the time of it. */
export async function subscriptionsById(db: Db, ids: string[], storeIds: number[]): Promise<ToldRow[]> {
  return db.read<ToldRow>(
    'told-subscriptions',
    `select ${columns}, s.store_id::text, s.deleted_at::text from webhooks.subscriptions s
     where s.store_id = any($1::bigint[]) and s.id = any($3::bigint[]) order by s.id`,
    [storeIds, db.clock.now(), ids],
  );
}

interface ToldRow extends SubscriptionRow {
  store_id: string;
  deleted_at: string | null;
}

/** The caller's subscription, locked until the commit against deliveries being claimed, recorded and fanned out. */
export async function lockSubscription(em: EntityManager, caller: Caller, idText: string | undefined, now: Date): Promise<SubscriptionRow> {
  const id = subscriptionId(idText);
  const { condition, values } = ownCondition(caller);
  const [row] = await sql<SubscriptionRow>(em, `${ofStore}${condition} and s.id = $${values.length + 3} for no key update of s`, [
    caller.storeId,
    now,
    ...values,
    id,
  ]);
  if (!row) throw notFound(resource);
  return row;
}

/** The row as it is after a change in this transaction. */
export async function rereadSubscription(em: EntityManager, caller: Caller, id: string, now: Date): Promise<SubscriptionRow> {
  const [row] = await sql<SubscriptionRow>(em, `${ofStore} and s.id = $3`, [caller.storeId, now, id]);
  if (!row) throw notFound(resource);
  return row;
}

export const resource = 'Webhook subscription';

function subscriptionId(text: string | undefined): number {
  const id = parseId(text);
  if (id === undefined) throw notFound(resource);
  return id;
}

/** `{error: "Validation failed", errors: [...]}`: the sentence stands alone here. */
export function invalidSubscription(errors: string[]): Problem {
  return new Problem('invalid', 'Validation failed', { errors });
}
