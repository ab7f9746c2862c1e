import { cappedList } from '@store/service';
import type { Verb } from '../gateway.ts';
import { apiKeysOf, apiKeyView } from './api-key.view.ts';

/** The store's keys, newest first, revoked ones included. */
export const listApiKeys: Verb<'ListApiKeys'> = async (app, _request, { caller }) => {
  const now = app.db.clock.now();
  const keys = apiKeysOf(caller.storeId, now).orderBy('k.id', 'desc');
  return cappedList({
    read: (limit) => app.db.read(keys.limit(limit)),
    answer: (rows) => ({ api_keys: rows.map((row) => apiKeyView(row, now)) }),
  });
};
