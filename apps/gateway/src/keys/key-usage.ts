/** Usage of keys, counted in memory and written every 30 seconds: a write per request would cost more than the request. */
import { type Db, sql } from '@store/db';
import { tables } from '../tables.ts';

interface Minute {
  requests: number;
  rate_limited: number;
  unauthorized: number;
}

interface Used {
  /** Absent while all of its requests were refused. */
  lastUsedAt?: Date;
  scopes: Set<string>;
  minutes: Map<number, Minute>;
}

/** Interval at which `flush` is called while the gateway runs. */
export const flushEveryMs = 30_000;
const minuteMs = 60_000;
/** Usage is shown for a day; older counters are deleted. */
const keptMs = 25 * 3_600_000;

/** Text: one statement that takes batches of any size and writes two tables. */
const writeUsage = `
  with used as (
    select * from jsonb_to_recordset($1) as u(key_id bigint, used_at timestamptz, scopes jsonb)
  ), counted as (
    insert into gateway.key_usage as k (key_id, minute, requests, rate_limited, unauthorized)
    select key_id, minute, requests, rate_limited, unauthorized
    from jsonb_to_recordset($2) as c(key_id bigint, minute timestamptz, requests bigint, rate_limited bigint, unauthorized bigint)
    order by key_id, minute
    on conflict (key_id, minute) do update set requests = k.requests + excluded.requests,
      rate_limited = k.rate_limited + excluded.rate_limited, unauthorized = k.unauthorized + excluded.unauthorized
  ), dropped as (
    delete from gateway.key_usage where minute < $3
  )
  update gateway.api_keys k set
    last_used_at = greatest(k.last_used_at, used.used_at),
    scopes_used = (select coalesce(array_agg(distinct s order by s), '{}')
                   from (select unnest(k.scopes_used) union select jsonb_array_elements_text(used.scopes)) as all_scopes(s))
  from used where k.id = used.key_id`;

export class KeyUsage {
  readonly #db: Db;
  #used = new Map<number | string, Used>();

  constructor(db: Db) {
    this.#db = db;
  }

  record(keyId: number, scope: string, at: Date): void {
    const used = this.#count(keyId, 'requests', at);
    if (!used.lastUsedAt || at > used.lastUsedAt) used.lastUsedAt = at;
    if (scope !== '') used.scopes.add(scope);
  }

  /** Counts one request of a key that was refused before anything else was asked. `key`: its id; of a key that is revoked, its hash (hex). */
  refused(key: number | string, as: 'rate_limited' | 'unauthorized', at: Date): void {
    this.#count(key, as, at);
  }

  /** Writes the counts since the last call; after a failure they are part of the next write. */
  async flush(): Promise<void> {
    if (this.#used.size === 0) return;
    const taken = this.#used;
    this.#used = new Map();
    try {
      const ids = await this.#idsOf([...taken.keys()].filter((key) => typeof key === 'string'));
      const entries = [...taken].flatMap(([key, used]) => {
        const id = typeof key === 'number' ? key : ids.get(key);
        return id === undefined ? [] : [{ id, ...used }];
      });
      const used = entries.flatMap(({ id, lastUsedAt, scopes }) =>
        lastUsedAt ? [{ key_id: id, used_at: lastUsedAt, scopes: [...scopes] }] : [],
      );
      const oldest = new Date(this.#db.clock.now().getTime() - keptMs);
      await this.#db.unit(0, (em) => sql(em, writeUsage, [JSON.stringify(used), JSON.stringify(minutesOf(entries)), oldest]));
    } catch (error) {
      this.#takeBack(taken);
      throw error;
    }
  }

  #count(key: number | string, as: keyof Minute, at: Date): Used {
    const used = this.#used.get(key) ?? { scopes: new Set<string>(), minutes: new Map<number, Minute>() };
    this.#used.set(key, used);
    addTo(used.minutes, at.getTime() - (at.getTime() % minuteMs), { ...none, [as]: 1 });
    return used;
  }

  async #idsOf(hashes: string[]): Promise<Map<string, number>> {
    if (hashes.length === 0) return new Map();
    const bytes = hashes.map((hash) => Buffer.from(hash, 'hex'));
    const rows = await this.#db.read(tables.selectFrom('api_keys').select(['id', 'hash']).where('hash', 'in', bytes));
    return new Map(rows.map(({ id, hash }) => [Buffer.from(hash).toString('hex'), id]));
  }

  #takeBack(taken: Map<number | string, Used>): void {
    for (const [key, old] of taken) {
      const now = this.#used.get(key);
      if (!now) {
        this.#used.set(key, old);
        continue;
      }
      for (const scope of old.scopes) now.scopes.add(scope);
      for (const [minute, counts] of old.minutes) addTo(now.minutes, minute, counts);
      if (old.lastUsedAt && !(now.lastUsedAt && now.lastUsedAt >= old.lastUsedAt)) now.lastUsedAt = old.lastUsedAt;
    }
  }
}

const none: Minute = { requests: 0, rate_limited: 0, unauthorized: 0 };

function addTo(minutes: Map<number, Minute>, minute: number, more: Minute): void {
  const { requests, rate_limited, unauthorized } = minutes.get(minute) ?? none;
  minutes.set(minute, {
    requests: requests + more.requests,
    rate_limited: rate_limited + more.rate_limited,
    unauthorized: unauthorized + more.unauthorized,
  });
}

/** A row per key and minute: a key that was counted by its id and by its hash has one. */
function minutesOf(entries: { id: number; minutes: Map<number, Minute> }[]): object[] {
  const byKey = new Map<number, Map<number, Minute>>();
  for (const { id, minutes } of entries) {
    const all = byKey.get(id) ?? new Map<number, Minute>();
    byKey.set(id, all);
    for (const [minute, counts] of minutes) addTo(all, minute, counts);
  }
  return [...byKey].flatMap(([key_id, minutes]) =>
    [...minutes].map(([minute, counts]) => ({ key_id, minute: new Date(minute), ...counts })),
  );
}
