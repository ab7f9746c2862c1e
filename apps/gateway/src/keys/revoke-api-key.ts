/**
 * DELETE /api_keys/:id. "Revocation is immediate": the key is tombstones in the key gate before the database
 * commits, so that every order of failures ends in a refusal, and the answer is success only when no
 * gateway can admit the key any more (P19) and no webhook of the key starts (D189).
 */

import { type EntityManager, isoTime, sql } from '@store/db';
import { emit, type Message, revocationFact, toDeadLetters } from '@store/events';
import { parseId } from '@store/input';
import { notFound, Problem, texts } from '@store/problem';
import type { ApiKeyResponse } from '@store/protos/gateway/v1/ApiKeyResponse.ts';
import type { IdRequest__Output } from '@store/protos/gateway/v1/IdRequest.ts';
import type { Caller } from '@store/rpc';
import type { Gateway, GatewayCall } from '../gateway.ts';
import type { KeyGate } from '../key-gate/key-gate.ts';
import { notifyChange } from '../stores/change-notices.ts';
import { type ApiKeyRow, apiKeyView, selectApiKeys } from './api-key.view.ts';

interface Hashes {
  hash: string;
  previous_hash: string | null;
}

/** Revokes a key of the caller's store; a key already revoked is answered as it is. */
export async function revokeApiKey(app: Gateway, request: IdRequest__Output, call: GatewayCall): Promise<ApiKeyResponse> {
  const { caller } = call;
  const id = parseId(request.id);
  const [found] = id === undefined ? [] : await readHashes(app, caller.storeId, id);
  if (id === undefined || !found) throw notFound('API key');
  const hashes = new Set(hashesOf(found));
  const tombstones = new Set<string>();
  const unreachable = await writeTombstones(app.keyGate, hashes, tombstones);
  try {
    await app.db.unit(caller.storeId, async (em) => {
      const row = await revoke(em, app, caller, id);
      for (const hash of row ? hashesOf(row) : []) hashes.add(hash);
      // Another process may have moved the key to a newer pepper since it was read.
      if (!unreachable && hashes.size > tombstones.size) await buryAll(app.keyGate, hashes, tombstones);
    });
  } catch (error) {
    await unrevokeAll(app, id, hashes, tombstones);
    throw error;
  }
  await forgetEverywhere(app, [...hashes]);
  if (unreachable) {
    app.log.error({ err: unreachable, key_id: id }, 'A revoked key could not be tombstones in the keyGate; the outbox goes on trying');
    throw new Problem('unavailable', texts.unexpected, {}, { cause: unreachable });
  }
  const [row] = await app.db.read<ApiKeyRow>('get-api-key', `${selectApiKeys} and k.id = $3`, [caller.storeId, app.db.clock.now(), id]);
  await stopDeliveries(app, call, id, row!);
  return { api_key: apiKeyView(row!) };
}

/** The event brings webhooks the same word; without this one the answer would come before the stopDeliveries. */
async function stopDeliveries(app: Gateway, call: GatewayCall, id: number, row: ApiKeyRow): Promise<void> {
  const revokedAtMs = new Date(row.revoked_at ?? app.db.clock.now()).getTime();
  try {
    await app.webhooks.RevokeKey({ key_id: id, revoked_at_ms: revokedAtMs }, { caller: call.caller, deadlineMs: call.deadlineMs });
  } catch (error) {
    app.log.error({ err: error, key_id: id }, 'Webhooks did not hear of a revoked key; the event will tell');
    throw new Problem('unavailable', texts.unexpected, {}, { cause: error });
  }
}

const selectHashes = `select encode(hash, 'hex') as hash, encode(previous_hash, 'hex') as previous_hash from gateway.api_keys
  where store_id = $1 and id = $2`;

function readHashes(app: Gateway, storeId: number, id: number): Promise<Hashes[]> {
  return app.db.read<Hashes>('key-hashes', selectHashes, [storeId, id]);
}

function hashesOf(row: Hashes): string[] {
  return row.previous_hash === null ? [row.hash] : [row.hash, row.previous_hash];
}

/** What kept the key gate from burying, or undefined when all are tombstones. */
async function writeTombstones(keyGate: KeyGate, hashes: Set<string>, tombstones: Set<string>): Promise<unknown> {
  try {
    await buryAll(keyGate, hashes, tombstones);
    return undefined;
  } catch (error) {
    return error ?? new Error('the keyGate could not be reached');
  }
}

async function buryAll(keyGate: KeyGate, hashes: Set<string>, tombstones: Set<string>): Promise<void> {
  for (const hash of hashes) {
    if (tombstones.has(hash)) continue;
    await keyGate.revoke(hash);
    tombstones.add(hash);
  }
}

async function revoke(em: EntityManager, app: Gateway, caller: Caller, id: number): Promise<Hashes | undefined> {
  const now = app.db.clock.now();
  const [row] = await sql<Hashes & { name: string }>(
    em,
    `update gateway.api_keys set revoked_at = $3 where store_id = $1 and id = $2 and revoked_at is null
     returning name, encode(hash, 'hex') as hash, encode(previous_hash, 'hex') as previous_hash`,
    [caller.storeId, id, now],
  );
  if (!row) return undefined;
  const key = { key_id: id, revoked_at: isoTime(now) };
  await emit(em, app.outbox, caller, [
    {
      name: 'key.revoked',
      aggregate: `key:${id}`,
      internal: { key: { ...key, word: app.trust.keys.attest(revocationFact(caller.storeId, key)) } },
      audit: {
        action: 'api_key.revoke',
        resource_type: 'ApiKey',
        resource_id: id,
        before: { revoked_at: null },
        after: { revoked_at: isoTime(now) },
      },
    },
  ]);
  return row;
}

/**
 * The revocation was not committed, so the key lives on. What the key gate remembers goes first: were the
 * commit in doubt and had happened after all, the next request asks the database and is refused.
 */
async function unrevokeAll(app: Gateway, id: number, hashes: Set<string>, tombstones: Set<string>): Promise<void> {
  try {
    await app.keyGate.forget([...hashes]);
    for (const hash of tombstones) await app.keyGate.unrevoke(hash);
  } catch (error) {
    // It stays tombstones: refused without reason is safer than admitted without right.
    app.log.error({ err: error, key_id: id }, 'A key whose revocation failed could not be dug up again');
  }
}

async function forgetEverywhere(app: Gateway, hashes: string[]): Promise<void> {
  try {
    await app.keyGate.forget(hashes);
    await notifyChange(app.db, { keys: hashes });
  } catch (error) {
    // The tombstone already refuses the key; what is remembered of it ends by itself.
    app.log.error({ err: error }, 'What is remembered of a revoked key could not be dropped');
  }
}

/**
 * Buries every key that gateway.events says is revoked, as long as it takes: the guarantee behind a
 * revocation whose own process could not reach the key gate, or died after its commit.
 */
export function consumeRevocations(app: Pick<Gateway, 'db' | 'keyGate' | 'log'>): (batch: Message[]) => Promise<void> {
  return async (batch) => {
    for (const message of batch) {
      const { name, internal } = message;
      if (name !== 'key.revoked' || internal?.key === undefined) continue;
      const id = idOfKey(internal.key);
      if (id === undefined) await toDeadLetters(app, message, new Error('the event names no key'));
      else await buryKey(app, message.storeId, id);
    }
  };
}

async function buryKey({ db, keyGate }: Pick<Gateway, 'db' | 'keyGate'>, storeId: number, id: number): Promise<void> {
  const [row] = await db.read<Hashes>('revoked-key-hashes', `${selectHashes} and revoked_at is not null`, [storeId, id]);
  const hashes = row ? hashesOf(row) : [];
  for (const hash of hashes) await keyGate.revoke(hash);
  await keyGate.forget(hashes);
}

/** Anything else would be tried for ever, and no later revocation would get through. */
function idOfKey(key: unknown): number | undefined {
  const id = (key as { key_id?: unknown } | null)?.key_id;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
