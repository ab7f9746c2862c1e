import { notFound } from '@store/problem';
import type { GetKeyRequest__Output } from '@store/protos/gateway/v1/GetKeyRequest.ts';
import type { KeyResponse } from '@store/protos/gateway/v1/KeyResponse.ts';
import type { Gateway, GatewayCall } from '../gateway.ts';
import { coldLimit } from '../key-gate/key-gate.ts';
import { optionalTime } from './api-key.view.ts';

interface Row {
  name: string;
  scopes: string[];
  rate_limit: number;
  expires_at: string | null;
  test_mode: boolean;
  last_used_at: string | null;
}

/** The calling key about itself (decision D178). */
export async function getKey(app: Gateway, _request: GetKeyRequest__Output, call: GatewayCall): Promise<KeyResponse> {
  const { storeId, actor } = call.caller;
  const [row] = await app.db.read<Row>(
    'get-key',
    `select name, scopes, rate_limit, expires_at::text, test_mode, last_used_at::text
     from gateway.api_keys where store_id = $1 and id = $2`,
    [storeId, actor.keyId],
  );
  if (!row) throw notFound('API key');
  return {
    key: {
      name: row.name,
      scopes: row.scopes,
      rate_limit: row.rate_limit,
      effective_limit: call.effectiveLimit ?? coldLimit,
      expires_at: optionalTime(row.expires_at),
      test_mode: row.test_mode,
      last_used_at: optionalTime(row.last_used_at),
    },
  };
}
