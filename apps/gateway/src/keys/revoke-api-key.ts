/** DELETE /api_keys/:id: a success once no gateway admits the key (P19) and no webhook of it is sent (D189). Tombstones come first. */
import { type EntityManager, lockRecord } from '@store/db';
import { emit, revocationFact } from '@store/events';
import { parseId } from '@store/input';
import { notFound, unexpected } from '@store/problem';
import type { Caller } from '@store/rpc';
import type { Gateway, GatewayCall, Verb } from '../gateway.ts';
import { notifyChange } from '../stores/change-notices.ts';
import { tables } from '../tables.ts';
import { ApiKey } from './api-key.ts';
import { type ApiKeyRow, apiKeysOf, apiKeyView } from './api-key.view.ts';
import { hashesOf } from './find-key.ts';

export const revokeApiKey: Verb<'RevokeApiKey'> = async (app, request, call) => {
  const { caller } = call;
  const id = parseId(request.id) ?? 0;
  const keys = tables.selectFrom('api_keys').select(['hash', 'previous_hash']).where('store_id', '=', caller.storeId);
  const [found] = await app.db.read(keys.where('id', '=', id));
  if (!found) throw notFound('API key');
  const hashes = new Set(hashesOf(found));
  const refused = new Set<string>();
  const writeTombstones = async () => {
    for (const hash of hashes) {
      if (refused.has(hash)) continue;
      await app.keyGate.revoke(hash);
      refused.add(hash);
    }
  };
  const unreachable = await writeTombstones().then(
    () => undefined,
    (error: unknown) => error ?? new Error('the key gate could not be reached'),
  );
  try {
    await app.db.unit(caller.storeId, async (em) => {
      const key = await revoke(em, app, caller, id);
      // Another process may have moved the key to a newer pepper since it was read.
      if (key) for (const hash of hashesOf({ hash: key.hash, previous_hash: key.previousHash ?? null })) hashes.add(hash);
      if (!unreachable) await writeTombstones();
    });
  } catch (error) {
    await undo(app, id, [...hashes], refused);
    throw error;
  }
  await forgetEverywhere(app, [...hashes]);
  if (unreachable) {
    app.log.warn({ err: unreachable, key_id: id }, 'The tombstone of a revoked key could not be written; the outbox goes on trying');
    throw unexpected(unreachable);
  }
  const now = app.db.clock.now();
  const [row] = await app.db.read(apiKeysOf(caller.storeId, now).where('k.id', '=', id));
  await stopDeliveries(app, call, row!);
  return { api_key: apiKeyView(row!, now) };
};

/** The event stops its webhooks too, but only after the answer. */
async function stopDeliveries(app: Gateway, call: GatewayCall, { id, revoked_at }: ApiKeyRow): Promise<void> {
  const revokedAtMs = (revoked_at ?? app.db.clock.now()).getTime();
  try {
    await app.webhooks.RevokeKey({ key_id: id, revoked_at_ms: revokedAtMs }, { caller: call.caller, deadlineMs: call.deadlineMs });
  } catch (error) {
    app.log.warn({ err: error, key_id: id }, 'Webhooks did not confirm a revoked key; the event will reach it');
    throw unexpected(error);
  }
}

/** The key, or undefined when it was revoked before. */
async function revoke(em: EntityManager, app: Gateway, caller: Caller, id: number): Promise<ApiKey | undefined> {
  const key = await lockRecord(em, ApiKey, id);
  if (key.revokedAt) return undefined;
  key.revokedAt = app.db.clock.now();
  await em.flush();
  const revoked_at = key.revokedAt.toISOString();
  const fact = { key_id: id, revoked_at };
  await emit(em, app.outbox, caller, [
    {
      name: 'key.revoked',
      aggregate: `key:${id}`,
      internal: { key: { ...fact, word: app.trust.keys.attest(revocationFact(caller.storeId, fact)) } },
      audit: {
        action: 'api_key.revoke',
        resource_type: 'ApiKey',
        resource_id: id,
        before: { revoked_at: null },
        after: { revoked_at },
      },
    },
  ]);
  return key;
}

/** Cached records are dropped first: if the commit did happen after all, the next request reads the database and is refused. */
async function undo({ keyGate, log }: Gateway, id: number, hashes: string[], refused: Set<string>): Promise<void> {
  try {
    await keyGate.forget(hashes);
    for (const hash of refused) await keyGate.unrevoke(hash);
  } catch (error) {
    // The tombstone stays: refusing a valid key is safer than admitting a revoked one.
    log.error({ err: error, key_id: id }, 'The tombstone of a key whose revocation failed could not be removed');
  }
}

async function forgetEverywhere(app: Gateway, hashes: string[]): Promise<void> {
  try {
    await app.keyGate.forget(hashes);
    await notifyChange(app.db, { keys: hashes });
  } catch (error) {
    // The tombstone already refuses the key; cached records expire by themselves.
    app.log.warn({ err: error }, 'Cached records of a revoked key could not be dropped');
  }
}
