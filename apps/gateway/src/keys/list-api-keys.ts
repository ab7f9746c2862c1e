import type { Verb } from '../gateway.ts';
import { apiKeysOf, apiKeyView } from './api-key.view.ts';

/** Lists that are not paginated are capped (D44). */
const apiKeysMax = 500;

/** The store's keys, newest first, revoked ones included. */
export const listApiKeys: Verb<'ListApiKeys'> = async (app, _request, { caller }) => {
  const now = app.db.clock.now();
  const keys = apiKeysOf(caller.storeId, now).orderBy('k.id', 'desc').limit(apiKeysMax);
  const found = await app.db.read(keys);
  return { api_keys: found.map((row) => apiKeyView(row, now)) };
};
