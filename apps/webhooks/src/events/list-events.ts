/** GET /events: the store's event log, from which a receiver that was down gets what it missed. Text: a frequent read. */
import type { Row } from '@store/db';
import { parseId } from '@store/input';
import { Problem } from '@store/problem';
import type { Verb } from '../webhooks.ts';
import type { LoggedEvent } from './event.ts';
import { listedEvents, readableEvents } from './visible-events.ts';

const eventsKeptDays = 30;
const perPageMax = 100;
const typesMax = 50;
/** A page ends with the event that reaches this, so that with events of 1 MB no page is above 4 MB (D260). */
const pageBytes = 3_000_000;

/** Rows without an event where the page is empty, without a body beyond the page's bytes. */
type ListedEvent = { sequence: number | null; body: Buffer | null; last: number };

/**
 * Events after a sequence, in order, without those that the key may not see. An invalid `after` is refused: it would return the whole
 * log.
 */
export const listEvents: Verb<'ListEvents'> = async (app, request, { caller }) => {
  const after = sequenceOf(request.after);
  const types = typesOf(request.types);
  const perPage = Math.min(parseId(request.per_page) ?? perPageMax, perPageMax);
  // One statement, one snapshot: everything up to `last` is visible, as sequences commit in order.
  const rows = await app.db.read<ListedEvent>(
    `with listed as materialized (${listedEvents('$1', '$6')})
     select e.sequence, e.body, s.last_sequence as last
     from webhooks.stores s
     left join lateral (
       select p.sequence, case when sum(octet_length(p.body)) over (order by p.sequence) - octet_length(p.body) < $8 then p.body end as body
       from (select logged.sequence, logged.body from webhooks.events logged left join listed l on l.name = logged.name
       where logged.store_id = s.id and logged.sequence > $2 and ($3::text[] is null or logged.name = any($3)) and logged.created_at >= $4
         and (logged.name = any($7::text[]) or logged.sequence > l.after)
       order by logged.sequence limit $5) p) e on true
     where s.id = $1 order by e.sequence`,
    [
      ...[caller.storeId, after, types ?? null, keptSince(app.db.clock.now()), perPage + 1, caller.actor.keyId],
      ...[readableEvents(caller.scopes), pageBytes],
    ],
  );
  const found = rows.filter(({ sequence }) => sequence !== null);
  const page = found.flatMap(({ sequence, body }) => (sequence === null || body === null ? [] : [{ sequence, body }])).slice(0, perPage);
  const hasMore = found.length > page.length;
  const latest = rows[0]?.last ?? 0;
  const nextAfter = hasMore ? page.at(-1)!.sequence : Math.max(after, latest);
  return { events: page.map(eventJson), next_after: nextAfter, has_more: hasMore, latest_sequence: latest };
};

export function keptSince(now: Date): Date {
  return new Date(now.getTime() - eventsKeptDays * 24 * 3_600_000);
}

function sequenceOf(text: string | undefined): number {
  if (text === undefined || text.trim() === '' || /^0+$/.test(text)) return 0;
  const sequence = parseId(text);
  if (sequence === undefined) throw new Problem('invalid', 'after must be a valid sequence');
  return sequence;
}

function typesOf(text: string | undefined): string[] | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const names = text.replaceAll('\0', '').split(',');
  if (names.length > typesMax) throw new Problem('invalid', `types may name at most ${typesMax} events`);
  return names.map((name) => name.trim());
}

/** The stored body as it is sent, with the sequence before its first member. */
function eventJson({ sequence, body }: Pick<Row<typeof LoggedEvent>, 'sequence' | 'body'>): string {
  return `{"sequence":${sequence},${body.toString().slice(1)}`;
}
