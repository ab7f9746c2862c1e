/** POST /api_keys: the only answer that contains a key's text. */
import { type EntityManager, sql } from '@store/db';
import { emit } from '@store/events';
import { notInPlan } from '@store/problem';
import type { CreateApiKeyResponse } from '@store/protos/gateway/v1.ts';
import type { Caller } from '@store/rpc';
import { notCached } from '@store/service';
import type { Gateway, Verb } from '../gateway.ts';
import { changeSealed } from '../sealed.ts';
import { notifyChange } from '../stores/change-notices.ts';
import { acceptApiKey, type NewApiKey } from './api-key.input.ts';
import { ApiKey } from './api-key.ts';
import { type ApiKeyRow, apiKeysOf, apiKeyView } from './api-key.view.ts';
import { type KeyHash, keyHashes, newKey } from './key-text.ts';

export const createApiKey: Verb<'CreateApiKey'> = async (app, request, call) => {
  const { caller } = call;
  if (!caller.features.has('developer_api')) throw notInPlan('Developer API');
  const accepted = acceptApiKey(request.api_key, caller.timeZone, app.db.clock.now());
  let hash: Buffer | undefined;
  const create = async (em: EntityManager) => {
    const key = newKey();
    const [newest] = keyHashes(app.config.peppers, key);
    hash = newest!.hash;
    const row = await insertKey(em, app, caller, { ...accepted, ...newest!, last4: key.slice(-4) });
    await emitCreated(em, app, caller, row);
    return { api_key: apiKeyView(row, app.db.clock.now()), key };
  };
  const answer = await changeSealed<CreateApiKeyResponse>(app, call, create);
  if (hash) await notifyOfNewKey(app, hash);
  return notCached(answer);
};

/** The key is committed and its text exists in this answer only: a failure here must not lose it. */
async function notifyOfNewKey(app: Gateway, hash: Buffer): Promise<void> {
  try {
    await notifyChange(app.db, { keys: [hash.toString('hex')] });
  } catch (error) {
    app.log.warn({ err: error }, 'The gateways could not be notified of a new key; what they cached expires by itself');
  }
}

type NewKeyRow = NewApiKey & KeyHash & { last4: string };

async function insertKey(em: EntityManager, app: Gateway, caller: Caller, values: NewKeyRow): Promise<ApiKeyRow> {
  const { storeId, actor } = caller;
  const now = app.db.clock.now();
  const key = em.create(ApiKey, { ...values, storeId, createdBy: actor.userId, createdAt: now });
  await em.persist(key).flush();
  const [row] = await sql(em, apiKeysOf(storeId, now).where('k.id', '=', key.id));
  return row!;
}

/** Internal event: no webhook is sent for keys, and neither text nor hash leaves this table. */
async function emitCreated(em: EntityManager, app: Gateway, caller: Caller, row: ApiKeyRow): Promise<void> {
  const { name, last4, scopes, rate_limit, expires_at, test_mode } = apiKeyView(row, app.db.clock.now());
  await emit(em, app.outbox, caller, [
    {
      name: 'key.created',
      aggregate: `key:${row.id}`,
      audit: {
        action: 'api_key.create',
        resource_type: 'ApiKey',
        resource_id: row.id,
        before: null,
        after: { name, last4, scopes, rate_limit, expires_at: expires_at ?? null, test_mode },
      },
    },
  ]);
}
