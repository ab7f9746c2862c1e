/** GET /audit_entries: who changed what through which key, newest first. */

import { paginationView, parseId, parsePage, parseTimestamp } from '@store/input';
import { Problem } from '@store/problem';
import type { ListAuditEntriesRequest__Output } from '@store/protos/gateway/v1/ListAuditEntriesRequest.ts';
import type { ListAuditEntriesResponse } from '@store/protos/gateway/v1/ListAuditEntriesResponse.ts';
import type { Gateway, GatewayCall } from '../gateway.ts';
import { costsScope } from '../keys/scopes.ts';
import { type AuditRow, auditColumns, auditEntryView } from './audit-entry.view.ts';

const perPageDefault = 50;
/** An id that no record has: what is not an id matches nothing, as dropping the filter would show everything. */
const nobody = 0;

export async function listAuditEntries(
  app: Gateway,
  request: ListAuditEntriesRequest__Output,
  call: GatewayCall,
): Promise<ListAuditEntriesResponse> {
  const page = parsePage(request, perPageDefault);
  const seesCosts = call.caller.scopes.has(costsScope);
  const filter = conditions(request, call);
  const where = `from gateway.audit_entries where ${filter.text}`;
  const count = filter.values.length;
  const [rows, [total]] = await Promise.all([
    app.db.read<AuditRow>(
      `list-audit-${filter.name}`,
      `select ${auditColumns} ${where} order by audit_entries.created_at desc, audit_entries.id desc limit $${count + 1} offset $${count + 2}`,
      [...filter.values, page.perPage, page.offset],
    ),
    app.db.read<{ total: string }>(`count-audit-${filter.name}`, `select count(*)::text as total ${where}`, filter.values),
  ]);
  return { audit_entries: rows.map((row) => auditEntryView(row, seesCosts)), pagination: paginationView(page, Number(total?.total ?? 0)) };
}

function conditions(request: ListAuditEntriesRequest__Output, call: GatewayCall) {
  const values: unknown[] = [call.caller.storeId];
  const parts = ['store_id = $1'];
  const names: string[] = [];
  const add = (name: string, comparison: string, value: unknown) => {
    values.push(value);
    names.push(name);
    parts.push(`${comparison} $${values.length}`);
  };
  if (request.key_id?.trim()) add('key', 'key_id =', parseId(request.key_id) ?? nobody);
  if (request.resource_type) add('type', 'resource_type =', request.resource_type.replaceAll('\0', '\uFFFD'));
  if (request.resource_id?.trim()) add('id', 'resource_id =', parseId(request.resource_id) ?? nobody);
  if (request.since) {
    const since = parseTimestamp(request.since, call.caller.timeZone);
    if (!since) throw new Problem('invalid', 'since must be a valid timestamp');
    add('since', 'created_at >', since);
  }
  // Each combination of filters is a prepared statement of its own.
  return { text: parts.join(' and '), values, name: names.join('-') };
}
