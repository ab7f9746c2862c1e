import type { ListApiKeysRequest__Output } from '@store/protos/gateway/v1/ListApiKeysRequest.ts';
import type { ListApiKeysResponse } from '@store/protos/gateway/v1/ListApiKeysResponse.ts';
import type { Gateway, GatewayCall } from '../gateway.ts';
import { type ApiKeyRow, apiKeyView, selectApiKeys } from './api-key.view.ts';

/** The store's keys, newest first, revoked ones included. */
export async function listApiKeys(app: Gateway, _request: ListApiKeysRequest__Output, call: GatewayCall): Promise<ListApiKeysResponse> {
  const rows = await app.db.read<ApiKeyRow>('list-api-keys', `${selectApiKeys} order by k.id desc`, [
    call.caller.storeId,
    app.db.clock.now(),
  ]);
  return { api_keys: rows.map(apiKeyView) };
}
