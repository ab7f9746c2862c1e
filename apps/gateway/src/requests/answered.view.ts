import type { Row } from '@store/db';
import type { AnsweredRequest } from '@store/protos/gateway/v1.ts';
import type { HandledRequest } from './handled-request.ts';

type Shown = 'method' | 'route' | 'status' | 'error_code' | 'duration_ms' | 'created_at' | 'key_id' | 'user_id' | 'request_id';

export type AnsweredRow = Pick<Row<typeof HandledRequest>, Shown> & { key_name: string | null; user_name: string | null };

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

function person(id: number | null, name: string | null): { id: number; name: string } | undefined {
  return id === null ? undefined : { id, name: name ?? '' };
}
