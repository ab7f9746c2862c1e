/**
 * Writes the tombstone of every key that gateway.events reports as revoked, retried until it succeeds. This covers a
 * revocation whose own process could not reach the key gate, or died after its commit.
 */
import { type Message, toDeadLetters } from '@store/events';
import type { Gateway } from '../gateway.ts';
import { tables } from '../tables.ts';
import { hashesOf } from './find-key.ts';

export function consumeRevocations(app: Pick<Gateway, 'db' | 'keyGate' | 'log'>): (batch: Message[]) => Promise<void> {
  return async (batch) => {
    for (const message of batch) {
      const { name, internal } = message;
      if (name !== 'key.revoked' || internal?.key === undefined) continue;
      const id = idOfKey(internal.key);
      if (id === undefined) await toDeadLetters(app, message, new Error('the event names no key'));
      else await writeTombstone(app, message.storeId, id);
    }
  };
}

async function writeTombstone({ db, keyGate }: Pick<Gateway, 'db' | 'keyGate'>, storeId: number, id: number): Promise<void> {
  const keys = tables.selectFrom('api_keys').select(['hash', 'previous_hash']).where('store_id', '=', storeId).where('id', '=', id);
  const revoked = await db.rows(keys.where('revoked_at', 'is not', null));
  const hashes = revoked.flatMap(hashesOf);
  for (const hash of hashes) await keyGate.revoke(hash);
  await keyGate.forget(hashes);
}

/** An unexpected message would be retried endlessly and block every later revocation. */
function idOfKey(key: unknown): number | undefined {
  const id = (key as { key_id?: unknown } | null)?.key_id;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
