/** GET /requests/:request_id: one request with everything it caused (D206). */
import { costsScope } from '@store/contract';
import { firstRows } from '@store/db';
import { notFound } from '@store/problem';
import { listBytesMax } from '@store/service';
import { auditEntryView, entriesOf } from '../audit/audit-entry.view.ts';
import type { Gateway, GatewayCall, Verb } from '../gateway.ts';
import { isRequestId } from '../http/request-id.ts';
import { answeredView, requestsOf, withNames } from './answered.view.ts';

/** Fewer where they are large (D260); the count says how many there are. */
const entriesMax = 100;

export const getRequest: Verb<'GetRequest'> = async (app, request, call) => {
  const id = request.request_id ?? '';
  if (!isRequestId(id)) throw notFound('Request');
  // Requests answered by this process are found at once; those of other processes within a second.
  await app.requests.flush();
  const { storeId } = call.caller;
  const [found, audit, { events, event_count }] = await Promise.all([
    newestOf(app, storeId, id),
    auditOf(app, call, id),
    app.webhooks.ListRequestEvents({ request_id: id }, { caller: call.caller, deadlineMs: call.deadlineMs }),
  ]);
  if (!found) throw notFound('Request');
  return { request: { ...found, ...audit, events: events ?? [], event_count: event_count ?? 0 } };
};

async function newestOf({ db, reports }: Gateway, storeId: number, id: string) {
  const ofId = requestsOf(storeId, db.clock.now()).where('r.request_id', '=', id);
  const newest = withNames(ofId, storeId).orderBy('r.id', 'desc').limit(1);
  const [[row], [count]] = await Promise.all([
    reports.read(newest),
    reports.read(ofId.select(({ fn }) => fn.countAll<number>().as('total'))),
  ]);
  return row && { ...answeredView(row), requests_with_id: count!.total };
}

/** Costs in it are shown only to users who may see financial data (Rules 4). */
async function auditOf({ reports }: Gateway, { caller }: GatewayCall, id: string) {
  const ofId = entriesOf(caller.storeId).where('request_id', '=', id);
  const shown = ofId.orderBy('id');
  const [{ rows }, [count]] = await Promise.all([
    firstRows(entriesMax, listBytesMax, (limit) => reports.read(shown.limit(limit))),
    reports.read(ofId.clearSelect().select(({ fn }) => fn.countAll<number>().as('total'))),
  ]);
  const seesCosts = caller.scopes.has(costsScope);
  return { audit_entries: rows.map((row) => auditEntryView(row, seesCosts)), audit_entry_count: count!.total };
}
