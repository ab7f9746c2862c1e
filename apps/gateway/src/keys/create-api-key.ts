/** POST /api_keys: the one answer in which a key's text appears. */

import { type EntityManager, sqlOne } from '@store/db';
import { emit } from '@store/events';
import { missing, Problem } from '@store/problem';
import type { CreateApiKeyRequest__Output } from '@store/protos/gateway/v1/CreateApiKeyRequest.ts';
import type { CreateApiKeyResponse } from '@store/protos/gateway/v1/CreateApiKeyResponse.ts';
import { type Caller, Reply } from '@store/rpc';
import { change, type Seal } from '@store/service';
import type { Gateway, GatewayCall } from '../gateway.ts';
import { notifyChange } from '../stores/change-notices.ts';
import { type NewApiKey, newApiKey } from './api-key.input.ts';
import { type ApiKeyRow, apiKeyView, selectApiKeys } from './api-key.view.ts';
import { keyHashes, newKey } from './key-text.ts';

const created = 201;
const noStore = { 'Cache-Control': 'no-store' };

/** Creates a key of the caller's store. Refused while the Developer API is off (decision D177). */
export async function createApiKey(
  app: Gateway,
  request: CreateApiKeyRequest__Output,
  call: GatewayCall,
): Promise<Reply<CreateApiKeyResponse>> {
  const { caller } = call;
  if (!caller.features.has('developer_api')) {
    throw new Problem('forbidden', 'Developer API is not included in your plan', { code: 'feature_not_enabled' });
  }
  if (!request.api_key || Object.keys(request.api_key).every((name) => name === 'scopes' && request.api_key?.scopes?.length === 0)) {
    throw missing('api_key');
  }
  const accepted = newApiKey(request.api_key, caller.timeZone, app.db.clock.now());
  const options = { db: app.db, call, response: 'store.gateway.v1.CreateApiKeyResponse', status: created, seal: seal(app, caller) };
  let hash: string | undefined;
  const answer = await change<CreateApiKeyResponse>(options, async (em) => {
    const key = newKey();
    const row = await insertKey(em, app, caller, accepted, key);
    hash = row.hash;
    await emitCreated(em, app, caller, row);
    return { api_key: apiKeyView(row), key };
  });
  if (hash) await tellOfNewKey(app, hash);
  if (answer instanceof Reply) return new Reply(answer.message, { ...answer.options, headers: { ...answer.options.headers, ...noStore } });
  return new Reply(answer, { headers: noStore });
}

/** The key is committed and its text exists in this answer alone: a gateway that hears nothing must not cost it. */
async function tellOfNewKey(app: Gateway, hash: string): Promise<void> {
  try {
    await notifyChange(app.db, { keys: [hash] });
  } catch (error) {
    app.log.error({ err: error }, 'The gateways could not be told of a new key; what they remember ends by itself');
  }
}

async function insertKey(em: EntityManager, app: Gateway, caller: Caller, accepted: NewApiKey, key: string) {
  const [{ hash, pepperId }] = keyHashes(app.config.peppers, key) as [ReturnType<typeof keyHashes>[number]];
  const now = app.db.clock.now();
  const { id } = await sqlOne<{ id: string }>(
    em,
    `insert into gateway.api_keys
       (store_id, name, hash, pepper_id, last4, scopes, rate_limit, expires_at, test_mode, created_by, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id::text`,
    [
      caller.storeId,
      accepted.name,
      hash,
      pepperId,
      key.slice(-4),
      accepted.scopes,
      accepted.rateLimit,
      accepted.expiresAt,
      accepted.testMode,
      caller.actor.userId,
      now,
    ],
  );
  const row = await sqlOne<ApiKeyRow>(em, `${selectApiKeys} and k.id = $3`, [caller.storeId, now, id]);
  return { ...row, hash: hash.toString('hex') };
}

/** An inner fact: no webhook tells of keys, and neither text nor hash leaves this table. */
async function emitCreated(em: EntityManager, app: Gateway, caller: Caller, row: ApiKeyRow): Promise<void> {
  const { id, name, last4, scopes, rate_limit, expires_at, test_mode } = apiKeyView(row);
  await emit(em, app.outbox, caller, [
    {
      name: 'key.created',
      aggregate: `key:${row.id}`,
      audit: {
        action: 'api_key.create',
        resource_type: 'ApiKey',
        resource_id: Number(id),
        before: null,
        after: { name, last4, scopes, rate_limit, expires_at: expires_at ?? null, test_mode },
      },
    },
  ]);
}

/** An answer stored for its Idempotency-Key holds the key's text, so it is stored encrypted (decision D185). */
function seal(app: Gateway, caller: Caller): Seal {
  const associated = `idempotency:${caller.storeId}:${caller.actor.userId}:${caller.idempotency?.key ?? ''}`;
  return {
    close: (bytes) => Buffer.from(app.config.keyRing.seal(bytes, associated)),
    open: (bytes) => app.config.keyRing.open(Buffer.from(bytes).toString(), associated),
  };
}
