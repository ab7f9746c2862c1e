import { costsScope, fieldsOfScope } from '@store/contract';
import type { AuditEntry as AuditEntryMessage } from '@store/protos/gateway/v1.ts';
import { tables } from '../tables.ts';

/** A store's entries; `before` and `after` are read as text, so that JSON numbers stay unchanged. */
export function entriesOf(storeId: number) {
  return tables
    .selectFrom('audit_entries')
    .where('store_id', '=', storeId)
    .select(['id', 'created_at', 'actor_type', 'key_id', 'key_name', 'user_id', 'user_name'])
    .select(['action', 'resource_type', 'resource_id', 'request_id', 'ip', 'event_ids'])
    .select(({ cast }) => [cast<string | null>('before', 'text').as('before'), cast<string | null>('after', 'text').as('after')]);
}

type AuditRow = Awaited<ReturnType<ReturnType<typeof entriesOf>['executeTakeFirstOrThrow']>>;

/** Specification, Rules 4: costs are recorded in the trail and shown only to users who may see financial data. */
const costFields = fieldsOfScope(costsScope);

export function auditEntryView(row: AuditRow, seesCosts: boolean): AuditEntryMessage {
  const shown = (json: string | null) => (json === null ? undefined : seesCosts ? json : withoutCosts(json));
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    actor: { type: row.actor_type, key: person(row.key_id, row.key_name), user: person(row.user_id, row.user_name) },
    action: row.action,
    resource_type: row.resource_type,
    resource_id: row.resource_id,
    before: shown(row.before),
    after: shown(row.after),
    request_id: row.request_id,
    ip: row.ip === '' ? undefined : row.ip,
    event_ids: row.event_ids,
  };
}

/** Applied at every depth: a record may contain others, such as the lines of an order. */
function withoutCosts(json: string): string {
  return JSON.stringify(JSON.parse(json, (name, value: unknown) => (costFields.has(name) ? undefined : value)));
}

export function person(id: number | null, name: string | null): { id: number; name: string } | undefined {
  return id === null ? undefined : { id, name: name ?? '' };
}
