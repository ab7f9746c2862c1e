/** GET /requests (staff): what was answered, newest first; refused requests of keys are only counted (D259). */
import { paginationView, parseId, parsePage, parseTimestamp } from '@store/input';
import { Problem } from '@store/problem';
import type { ListRequestsRequest__Output } from '@store/protos/gateway/v1.ts';
import type { GatewayCall, Verb } from '../gateway.ts';
import { answeredView, requestsOf, withNames } from './answered.view.ts';

const perPageDefault = 50;
/** An id that no key has, and a status that no answer has: an invalid filter matches nothing. */
const none = 0;

export const listRequests: Verb<'ListRequests'> = async (app, request, call) => {
  await app.requests.flush();
  const page = parsePage(request, perPageDefault);
  const matching = requestsMatching(request, call, app.db.clock.now());
  const shown = withNames(matching, call.caller.storeId).orderBy('r.created_at', 'desc').orderBy('r.id', 'desc');
  const [rows, [count]] = await Promise.all([
    app.reports.read(shown.limit(page.perPage).offset(page.offset)),
    app.reports.read(matching.select(({ fn }) => fn.countAll<number>().as('total'))),
  ]);
  return { requests: rows.map(answeredView), pagination: paginationView(page, count?.total ?? 0) };
};

function requestsMatching({ key_id, status, since, by }: ListRequestsRequest__Output, { caller }: GatewayCall, now: Date) {
  let requests = requestsOf(caller.storeId, now);
  if (key_id?.trim()) requests = requests.where('r.key_id', '=', parseId(key_id) ?? none);
  if (by === 'keys' || by === 'staff') requests = requests.where('r.key_id', by === 'keys' ? 'is not' : 'is', null);
  if (status?.trim()) {
    const [first, last] = statusesOf(status.trim());
    requests = requests.where('r.status', '>=', first).where('r.status', '<=', last);
  }
  if (!since) return requests;
  const after = parseTimestamp(since, caller.timeZone);
  if (!after) throw new Problem('invalid', 'since must be a valid timestamp');
  return requests.where('r.created_at', '>', after);
}

/** `404` is one status, `4xx` all of its hundred. */
function statusesOf(text: string): [number, number] {
  const hundred = /^([1-5])xx$/i.exec(text)?.[1];
  if (hundred) return [Number(hundred) * 100, Number(hundred) * 100 + 99];
  const one = /^[1-5]\d\d$/.test(text) ? Number(text) : none;
  return [one, one];
}
