import type { AnsweredRequest } from '@store/protos/gateway/v1.ts';
import { person } from '../audit/audit-entry.view.ts';
import { tables } from '../tables.ts';
import { keptSince } from './request-log.ts';

/** A store's requests of the last 30 days. */
export function requestsOf(storeId: number, now: Date) {
  return tables.selectFrom('requests as r').where('r.store_id', '=', storeId).where('r.created_at', '>=', keptSince(now));
}

/** With the current names of their keys and users. */
export function withNames(requests: ReturnType<typeof requestsOf>, storeId: number) {
  return requests
    .leftJoin('api_keys as k', (join) => join.onRef('k.id', '=', 'r.key_id').on('k.store_id', '=', storeId))
    .leftJoin('staff_users as u', (join) => join.onRef('u.id', '=', 'r.user_id').on('u.store_id', '=', storeId))
    .select(['r.request_id', 'r.method', 'r.route', 'r.status', 'r.error_code', 'r.duration_ms', 'r.created_at', 'r.key_id', 'r.user_id'])
    .select(['k.name as key_name', 'u.name as user_name']);
}

type AnsweredRow = Awaited<ReturnType<ReturnType<typeof withNames>['executeTakeFirstOrThrow']>>;

export function answeredView(row: AnsweredRow): AnsweredRequest {
  return {
    id: row.request_id,
    method: row.method,
    route: row.route ?? undefined,
    status: row.status,
    error_code: row.error_code ?? undefined,
    key: person(row.key_id, row.key_name),
    user: person(row.user_id, row.user_name),
    duration_ms: row.duration_ms,
    created_at: row.created_at.toISOString(),
  };
}
