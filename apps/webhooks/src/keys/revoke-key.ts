/**
 * "Subscriptions of a revoked or expired key receive nothing further." The gateway says so before it
 * answers a revocation (decision D189); its event says it again, in case it died in between.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { type EntityManager, sql } from '@store/db';
import { type Message, revocationFact } from '@store/events';
import type { RevokeKeyRequest__Output } from '@store/protos/webhooks/v1/RevokeKeyRequest.ts';
import type { RevokeKeyResponse } from '@store/protos/webhooks/v1/RevokeKeyResponse.ts';
import type { Call } from '@store/rpc';
import { lockStore } from '../subscriptions/lock-store.ts';
import type { Webhooks } from '../webhooks.ts';

const waitMaxMs = 1_000;
const pollMs = 10;

/** Once this is answered no delivery of the key's subscriptions starts. */
export async function revokeKey(app: Webhooks, request: RevokeKeyRequest__Output, call: Call): Promise<RevokeKeyResponse> {
  const revoked = { storeId: call.caller.storeId, keyId: Number(request.key_id), at: new Date(Number(request.revoked_at_ms)) };
  const ids = await app.db.unit(revoked.storeId, (em) => stopDeliveries(em, revoked, app.db.clock.now()));
  if (ids.length > 0) await untilSent(app, ids);
  return { subscriptions: ids.length };
}

/**
 * Nothing brings a silenced subscription back, so the transport's word is not enough: whoever can write to it could stop
 * every delivery of a store.
 */
export function wantsRevocation({ trust }: Pick<Webhooks, 'trust'>, { name, storeId, internal }: Message): boolean {
  const key = internal?.key;
  if (name !== 'key.revoked' || key === undefined) return false;
  if (!trust.keys.isAttested(revocationFact(storeId, key), key.word)) throw new Error('the gateway did not sign this revocation');
  return true;
}

export async function consumeRevocations(em: EntityManager, messages: Message[], now: Date): Promise<void> {
  for (const { storeId, internal } of messages.toSorted((a, b) => a.storeId - b.storeId)) {
    await stopDeliveries(em, { storeId, keyId: internal!.key!.key_id, at: new Date(internal!.key!.revoked_at) }, now);
  }
}

interface Revoked {
  storeId: number;
  keyId: number;
  at: Date;
}

/** The store's lock orders it with a creation by the same key: whichever is second sees the first. */
async function stopDeliveries(em: EntityManager, { storeId, keyId, at }: Revoked, now: Date): Promise<string[]> {
  await lockStore(em, storeId);
  await sql(em, 'insert into webhooks.revoked_keys (key_id, revoked_at) values ($1, $2) on conflict (key_id) do nothing', [keyId, at]);
  const rows = await sql<{ id: string }>(
    em,
    `update webhooks.subscriptions set key_revoked_at = coalesce(key_revoked_at, $3)
     where store_id = $1 and id in (
       select id from webhooks.subscriptions where store_id = $1 and key_id = $2 and deleted_at is null order by id for update)
     returning id::text`,
    [storeId, keyId, at],
  );
  const ids = rows.map((row) => row.id);
  await skipPending(em, ids, now);
  return ids;
}

/** What waits for these subscriptions ends as skipped; what is on its way is left to end by itself (D139). */
export async function skipPending(em: EntityManager, subscriptionIds: string[], now: Date): Promise<void> {
  if (subscriptionIds.length === 0) return;
  await sql(
    em,
    // Two halves, as what is held and what is not stand in indexes of their own.
    `with waiting as (
       update webhooks.deliveries set state = 'skipped', first_pending = false, ended_at = $2
       where subscription_id = any($1::bigint[]) and state = 'pending' and not held
     )
     update webhooks.deliveries set state = 'skipped', held = false, first_pending = false, ended_at = $2
     where subscription_id = any($1::bigint[]) and held`,
    [subscriptionIds, now],
  );
}

/** Attempts that were committed before the revocation count as started: they are waited for, a second at most. */
async function untilSent(app: Webhooks, subscriptionIds: string[]): Promise<void> {
  const giveUpAt = performance.now() + waitMaxMs;
  while (performance.now() < giveUpAt) {
    const open = await app.db.read(
      'open-attempts',
      'select from webhooks.attempts where subscription_id = any($1::bigint[]) and ended_at is null limit 1',
      [subscriptionIds],
    );
    if (open.length === 0) return;
    await wait(pollMs);
  }
}
