/** Writes the tombstone of every revoked key, until it succeeds: the process that revoked it may not have reached the key gate. */
import { type Message, toDeadLetters } from '@store/events';
import type { Gateway } from '../gateway.ts';
import { tables } from '../tables.ts';
import { hashesOf } from './find-key.ts';

export function consumeRevocations(app: Pick<Gateway, 'db' | 'keyGate' | 'log'>): (batch: Message[]) => Promise<void> {
  return async (batch) => {
    for (const message of batch) {
      if (message.name !== 'key.revoked') continue;
      try {
        const key = message.internal?.key;
        if (key !== undefined) await writeTombstone(app, message.storeId, idOfKey(key));
      } catch (error) {
        // An unexpected message would be retried endlessly and block every later revocation.
        if (message.unreadable === undefined && !(error instanceof NoKey)) throw error;
        await toDeadLetters(app, message, error);
      }
    }
  };
}

async function writeTombstone({ db, keyGate }: Pick<Gateway, 'db' | 'keyGate'>, storeId: number, id: number): Promise<void> {
  const keys = tables.selectFrom('api_keys').select(['hash', 'previous_hash']).where('store_id', '=', storeId).where('id', '=', id);
  const revoked = await db.read(keys.where('revoked_at', 'is not', null));
  const hashes = revoked.flatMap(hashesOf);
  for (const hash of hashes) await keyGate.revoke(hash);
  await keyGate.forget(hashes);
}

class NoKey extends Error {}

function idOfKey(key: unknown): number {
  const id = (key as { key_id?: unknown } | null)?.key_id;
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0) throw new NoKey('the event names no key');
  return id;
}
