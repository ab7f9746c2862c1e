/** An audit entry's row as the message that staff see. */

import { fieldsOfScope } from '@store/contract';
import { isoTime } from '@store/db';
import type { AuditEntry } from '@store/protos/gateway/v1/AuditEntry.ts';
import { costsScope } from '../keys/scopes.ts';

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

/** Specification, Rules 4: costs are for who may see financial data; the trail keeps them and shows them to nobody else. */
const costFields = fieldsOfScope(costsScope);

export function auditEntryView(row: AuditRow, seesCosts: boolean): AuditEntry {
  const shown = (json: string | null) => (json === null ? undefined : seesCosts ? json : withoutCosts(json));
  return {
    id: Number(row.id),
    created_at: isoTime(row.created_at),
    actor: { type: row.actor_type, key: person(row.key_id, row.key_name), user: person(row.user_id, row.user_name) },
    action: row.action,
    resource_type: row.resource_type,
    resource_id: Number(row.resource_id),
    before: shown(row.before),
    after: shown(row.after),
    request_id: row.request_id,
    ip: row.ip === '' ? undefined : row.ip,
    event_ids: row.event_ids,
  };
}

/** At every depth: a record may hold others, such as the lines of an order. */
function withoutCosts(json: string): string {
  return JSON.stringify(JSON.parse(json, (name, value: unknown) => (costFields.has(name) ? undefined : value)));
}

function person(id: string | null, name: string | null): { id: number; name: string } | undefined {
  return id === null ? undefined : { id: Number(id), name: name ?? '' };
}
