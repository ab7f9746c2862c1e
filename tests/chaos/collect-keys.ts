import type pg from 'pg';
import { type Hook, isSigned } from '../kit/receiver.ts';
import { rowsOf } from './collect.ts';
import type { KeyLife } from './key-life.ts';
import type { ScriptedReceiver } from './receivers.ts';

interface Line {
  eventId: string;
  sequence: number;
  manual: boolean;
  number: number;
  addedAtMs: number;
  atMs: number;
}

const lines = `
  select e.event_id::text as "eventId", d.sequence::int, d.manual, a.number,
    (extract(epoch from added.at) * 1000)::float as "addedAtMs", (extract(epoch from sent.at) * 1000)::float as "atMs"
  from webhooks.attempts a
  join webhooks.deliveries d on d.store_id = a.store_id and d.id = a.delivery_id
  join webhooks.events e on e.store_id = d.store_id and e.sequence = d.sequence
  join chaos.stamps added on added.of = 'deliveries' and added.id = d.id
  join chaos.stamps sent on sent.of = 'attempts' and sent.id = a.id
  where a.subscription_id = $1 order by a.id`;

export async function livesOf(judge: pg.Client, lives: KeyLife[], passing: ScriptedReceiver): Promise<KeyLife[]> {
  const posts = Map.groupBy(passing.posts, ({ path }) => path);
  const found: KeyLife[] = [];
  for (const life of lives) {
    const own = Map.groupBy(posts.get(`/${passing.script.name}${life.path}`) ?? [], ({ headers }) =>
      attemptOf(headers['x-service-delivery'], headers['x-service-attempt']),
    );
    const sent = life.subscription === null ? [] : await rowsOf<Line & pg.QueryResultRow>(judge, lines, [life.subscription]);
    found.push({ ...life, sent: sent.map((line) => ({ ...line, ...verified(own.get(attemptOf(line.eventId, line.number)), life) })) });
  }
  return found;
}

const attemptOf = (delivery: unknown, number: unknown) => `${delivery} ${number}`;

function verified(posts: Hook[] | undefined, { secrets }: KeyLife): { verifiesWith?: number[] } {
  if (!posts) return {};
  // A rotation without an answer has made one that nobody knows.
  const verifies = (secret: string) => secret !== '' && posts.every((post) => isSigned(post, secret));
  return { verifiesWith: secrets.flatMap(({ secret }, n) => (verifies(secret) ? [n] : [])) };
}
