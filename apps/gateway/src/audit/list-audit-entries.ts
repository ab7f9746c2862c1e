/** GET /audit_entries: who changed what through which key, newest first. */
import { costsScope } from '@store/contract';
import { paginationView, parseId, parsePage, parseTimestamp } from '@store/input';
import { Problem } from '@store/problem';
import type { ListAuditEntriesRequest__Output } from '@store/protos/gateway/v1.ts';
import type { GatewayCall, Verb } from '../gateway.ts';
import { auditEntryView, entriesOf } from './audit-entry.view.ts';

const perPageDefault = 50;
/** An id that no record has. An invalid filter matches nothing: ignoring it would return the whole trail. */
const noId = 0;

export const listAuditEntries: Verb<'ListAuditEntries'> = async (app, request, call) => {
  const page = parsePage(request, perPageDefault);
  const seesCosts = call.caller.scopes.has(costsScope);
  const matching = entriesMatching(request, call);
  const mark = page.walk?.mark;
  const shown = (
    mark ? matching.where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '<', tuple(mark.createdAt, mark.id))) : matching
  )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');
  const [rows, [count]] = await Promise.all([
    app.reports.read(shown.limit(page.limit).offset(page.offset)),
    app.reports.read(matching.clearSelect().select(({ fn }) => fn.countAll<number>().as('total'))),
  ]);
  return { audit_entries: rows.map((row) => auditEntryView(row, seesCosts)), pagination: paginationView(page, count?.total ?? 0) };
};

function entriesMatching(request: ListAuditEntriesRequest__Output, { caller }: GatewayCall) {
  let entries = entriesOf(caller.storeId);
  if (request.key_id?.trim()) entries = entries.where('key_id', '=', parseId(request.key_id) ?? noId);
  if (request.resource_type) entries = entries.where('resource_type', '=', request.resource_type.replaceAll('\0', '\uFFFD'));
  if (request.resource_id?.trim()) entries = entries.where('resource_id', '=', parseId(request.resource_id) ?? noId);
  if (!request.since) return entries;
  const since = parseTimestamp(request.since, caller.timeZone);
  if (!since) throw new Problem('invalid', 'since must be a valid timestamp');
  return entries.where('created_at', '>', since);
}
