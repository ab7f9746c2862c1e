/** The gateway calls this before it answers a revocation (D189); the event has the same effect, should the gateway die in between. */
import { setTimeout as wait } from 'node:timers/promises';
import { type EntityManager, sql } from '@store/db';
import { type Message, revocationFact } from '@store/events';
import { skipPending } from '../deliveries/skip-deliveries.ts';
import { lockStore } from '../events/event-log.ts';
import { tables } from '../tables.ts';
import type { Verb, Webhooks } from '../webhooks.ts';

const waitMaxMs = 1_000;
const pollMs = 10;

/** Once this is answered, no delivery of the key's subscriptions starts. */
export const revokeKey: Verb<'RevokeKey'> = async (app, request, call) => {
  const revoked = { storeId: call.caller.storeId, keyId: Number(request.key_id), at: new Date(Number(request.revoked_at_ms)) };
  const ids = await app.db.unit(revoked.storeId, (em) => stopDeliveries(em, revoked, app.db.clock.now()));
  if (ids.length > 0) await untilSent(app, revoked.storeId, ids);
  return { subscriptions: ids.length };
};

/** A revocation is permanent, so it must be signed: write access to the transport could otherwise stop every delivery of a store. */
export function wantsRevocation({ trust }: Pick<Webhooks, 'trust'>, message: Message): boolean {
  // By name first: no other event has to be decoded for this.
  if (message.name !== 'key.revoked') return false;
  const { storeId, internal } = message;
  const key = internal?.key;
  if (key === undefined) return false;
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

/** The store's lock orders it with a creation by the same key: the later one sees the earlier. */
async function stopDeliveries(em: EntityManager, { storeId, keyId, at }: Revoked, now: Date): Promise<number[]> {
  await lockStore(em, storeId);
  const revoked = tables.insertInto('revoked_keys').values({ key_id: keyId, revoked_at: at });
  await sql(
    em,
    revoked.onConflict((conflict) => conflict.column('key_id').doNothing()),
  );
  const stopped = await sql<{ id: number }>(
    em,
    `update webhooks.subscriptions set key_revoked_at = coalesce(key_revoked_at, $3)
     where store_id = $1 and id in (
       select id from webhooks.subscriptions where store_id = $1 and key_id = $2 and deleted_at is null order by id for update)
     returning id`,
    [storeId, keyId, at],
  );
  const ids = stopped.map(({ id }) => id);
  await skipPending(em, ids, now);
  return ids;
}

/** Attempts committed before the revocation count as started: they are waited for, a second at most. */
async function untilSent(app: Webhooks, storeId: number, subscriptionIds: number[]): Promise<void> {
  const giveUpAt = performance.now() + waitMaxMs;
  while (performance.now() < giveUpAt) {
    const leased = await app.db.read(
      `select from webhooks.deliveries where store_id = $1 and subscription_id = any ($2::bigint[]) and state = 'leased' limit 1`,
      [storeId, subscriptionIds],
    );
    if (leased.length === 0) return;
    await wait(pollMs);
  }
}
