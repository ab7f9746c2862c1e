import { notFound } from '@store/problem';
import type { Verb } from '../gateway.ts';
import { coldLimit } from '../key-gate/key-gate.ts';
import { tables } from '../tables.ts';

/** GET /key: the calling key's own data (D178). */
export const getKey: Verb<'GetKey'> = async (app, _request, { caller, effectiveLimit = coldLimit }) => {
  const keys = tables.selectFrom('api_keys').where('store_id', '=', caller.storeId).where('id', '=', caller.actor.keyId);
  const [row] = await app.db.read(keys.select(['name', 'scopes', 'rate_limit', 'expires_at', 'test_mode', 'last_used_at']));
  if (!row) throw notFound('API key');
  const { expires_at, last_used_at, ...key } = row;
  return {
    key: { ...key, effective_limit: effectiveLimit, expires_at: expires_at?.toISOString(), last_used_at: last_used_at?.toISOString() },
  };
};
