/** An audit entry's row as the message that staff see. */
import type { AuditEntry } from '@store/contract/gen/store/gateway/v1/AuditEntry.ts';
import { isoTime } from '@store/db';

export interface AuditRow {
  id: string;
  created_at: string;
  actor_type: string;
  key_id: string | null;
  key_name: string | null;
  user_id: string | null;
  user_name: string | null;
  action: string;
  resource_type: string;
  resource_id: string;
  before: string | null;
  after: string | null;
  request_id: string;
  ip: string;
  event_ids: string[];
}

export const auditColumns = `id::text, created_at::text, actor_type, key_id::text, key_name, user_id::text, user_name, action, resource_type,
  resource_id::text, before::text, after::text, request_id, ip, event_ids`;

export function auditEntryView(row: AuditRow): AuditEntry {
  return {
    id: Number(row.id),
    created_at: isoTime(row.created_at),
    actor: { type: row.actor_type, key: person(row.key_id, row.key_name), user: person(row.user_id, row.user_name) },
    action: row.action,
    resource_type: row.resource_type,
    resource_id: Number(row.resource_id),
    before: row.before ?? undefined,
    after: row.after ?? undefined,
    request_id: row.request_id,
    ip: row.ip === '' ? undefined : row.ip,
    event_ids: row.event_ids,
  };
}

function person(id: string | null, name: string | null): { id: number; name: string } | undefined {
  return id === null ? undefined : { id: Number(id), name: name ?? '' };
}
