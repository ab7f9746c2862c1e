import type { ApiKey as ApiKeyMessage } from '@store/protos/gateway/v1.ts';
import { completedLatelyMs } from '../key-gate/key-gate.ts';
import { effectiveLimit } from '../key-gate/rate-limit.ts';
import { tables } from '../tables.ts';
import { keyPrefix } from './key-text.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export function apiKeysOf(storeId: number, now: Date) {
  return tables
    .selectFrom('api_keys as k')
    .innerJoin('staff_users as u', (on) => on.onRef('u.id', '=', 'k.created_by').onRef('u.store_id', '=', 'k.store_id'))
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('key_usage')
          .whereRef('store_id', '=', 'k.store_id')
          .whereRef('key_id', '=', 'k.id')
          .where('minute', '>', new Date(now.getTime() - dayMs))
          .select(({ fn }) => [
            fn
              .sum<string>('requests')
              .filterWhere('minute', '>', new Date(now.getTime() - hourMs))
              .as('last_hour'),
            fn.sum<string>('requests').as('last_day'),
          ])
          .as('r'),
      (on) => on.onTrue(),
    )
    .where('k.store_id', '=', storeId)
    .select(['k.id', 'k.name', 'k.last4', 'k.scopes', 'k.scopes_used', 'k.rate_limit', 'k.expires_at', 'k.test_mode', 'k.created_at'])
    .select(['k.last_used_at', 'k.revoked_at', 'u.id as user_id', 'u.name as user_name', 'r.last_hour', 'r.last_day']);
}

export type ApiKeyRow = Awaited<ReturnType<ReturnType<typeof apiKeysOf>['executeTakeFirstOrThrow']>>;

export function apiKeyView(row: ApiKeyRow, now: Date): ApiKeyMessage {
  return {
    id: row.id,
    name: row.name,
    prefix: keyPrefix,
    last4: row.last4,
    scopes: row.scopes,
    scopes_used: row.scopes_used,
    rate_limit: row.rate_limit,
    expires_at: row.expires_at?.toISOString(),
    test_mode: row.test_mode,
    created_by: { id: row.user_id, name: row.user_name },
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString(),
    requests_last_hour: Number(row.last_hour ?? 0),
    requests_last_day: Number(row.last_day ?? 0),
    revoked_at: row.revoked_at?.toISOString(),
    effective_limit: effectiveLimit(completedLately(row.last_used_at, now), { rateLimit: row.rate_limit }),
  };
}

/** By the last use that is stored: a request is a use once it is completed, so both begin together. */
function completedLately(lastUsedAt: Date | null, now: Date): boolean {
  return lastUsedAt !== null && now.getTime() - lastUsedAt.getTime() <= completedLatelyMs;
}
