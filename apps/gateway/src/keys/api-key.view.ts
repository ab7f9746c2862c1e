/** A key's row as the message that staff see; the key's text is nowhere. */

import { isoTime } from '@store/db';
import type { ApiKey } from '@store/protos/gateway/v1/ApiKey.ts';
import { keyPrefix } from './key-text.ts';

export interface ApiKeyRow {
  id: string;
  name: string;
  last4: string;
  scopes: string[];
  scopes_used: string[];
  rate_limit: number;
  expires_at: string | null;
  test_mode: boolean;
  user_id: string;
  user_name: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
  last_hour: string;
  last_day: string;
}

/** $1 store, $2 now; a condition on k may follow. */
export const selectApiKeys = `
  select k.id::text, k.name, k.last4, k.scopes, k.scopes_used, k.rate_limit, k.expires_at::text, k.test_mode, k.created_at::text,
         k.last_used_at::text, k.revoked_at::text, u.id::text as user_id, u.name as user_name,
         coalesce(r.last_hour, 0)::text as last_hour, coalesce(r.last_day, 0)::text as last_day
  from gateway.api_keys k
  join gateway.staff_users u on u.id = k.created_by and u.store_id = k.store_id
  left join lateral (
    select sum(requests) filter (where minute > $2::timestamptz - interval '1 hour') as last_hour, sum(requests) as last_day
    from gateway.key_usage where key_id = k.id and minute > $2::timestamptz - interval '1 day'
  ) r on true
  where k.store_id = $1`;

export function apiKeyView(row: ApiKeyRow): ApiKey {
  return {
    id: Number(row.id),
    name: row.name,
    prefix: keyPrefix,
    last4: row.last4,
    scopes: row.scopes,
    scopes_used: row.scopes_used,
    rate_limit: row.rate_limit,
    expires_at: optionalTime(row.expires_at),
    test_mode: row.test_mode,
    created_by: { id: Number(row.user_id), name: row.user_name },
    created_at: isoTime(row.created_at),
    last_used_at: optionalTime(row.last_used_at),
    requests_last_hour: Number(row.last_hour),
    requests_last_day: Number(row.last_day),
    revoked_at: optionalTime(row.revoked_at),
  };
}

export function optionalTime(value: string | null): string | undefined {
  return value === null ? undefined : isoTime(value);
}
