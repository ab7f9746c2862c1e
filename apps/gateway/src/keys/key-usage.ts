/**
 * Usage of keys: counted in memory and written in one statement every 30 seconds, because a
 * write per request would cost more than the request.
 */
import { type Db, sql } from '@store/db';

interface Used {
  lastUsedAt: Date;
  scopes: Set<string>;
  /** Requests by the start of their minute. */
  minutes: Map<number, number>;
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
    insert into gateway.key_usage as k (key_id, minute, requests)
    select key_id, minute, requests from jsonb_to_recordset($2) as c(key_id bigint, minute timestamptz, requests bigint)
    order by key_id, minute
    on conflict (key_id, minute) do update set requests = k.requests + excluded.requests
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
  #used = new Map<number, Used>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Counts one request of a key; `scope` is the scope it used, empty when it used none. */
  record(keyId: number, scope: string, at: Date): void {
    const minute = at.getTime() - (at.getTime() % minuteMs);
    let used = this.#used.get(keyId);
    if (!used) {
      used = { lastUsedAt: at, scopes: new Set(), minutes: new Map() };
      this.#used.set(keyId, used);
    }
    if (at > used.lastUsedAt) used.lastUsedAt = at;
    if (scope !== '') used.scopes.add(scope);
    used.minutes.set(minute, (used.minutes.get(minute) ?? 0) + 1);
  }

  /** Writes the counts since the last call; after a failure they are part of the next write. */
  async flush(): Promise<void> {
    if (this.#used.size === 0) return;
    const taken = this.#used;
    this.#used = new Map();
    const entries = [...taken].sort(([a], [b]) => a - b);
    const used = entries.map(([keyId, { lastUsedAt, scopes }]) => ({ key_id: keyId, used_at: lastUsedAt, scopes: [...scopes] }));
    const counts = entries.flatMap(([keyId, { minutes }]) =>
      [...minutes].map(([minute, requests]) => ({ key_id: keyId, minute: new Date(minute), requests })),
    );
    const oldest = new Date(this.#db.clock.now().getTime() - keptMs);
    try {
      await this.#db.unit(0, (em) => sql(em, writeUsage, [JSON.stringify(used), JSON.stringify(counts), oldest]));
    } catch (error) {
      this.#takeBack(taken);
      throw error;
    }
  }

  #takeBack(taken: Map<number, Used>): void {
    for (const [keyId, old] of taken) {
      const now = this.#used.get(keyId);
      if (!now) {
        this.#used.set(keyId, old);
        continue;
      }
      for (const scope of old.scopes) now.scopes.add(scope);
      for (const [minute, requests] of old.minutes) now.minutes.set(minute, (now.minutes.get(minute) ?? 0) + requests);
      if (old.lastUsedAt > now.lastUsedAt) now.lastUsedAt = old.lastUsedAt;
    }
  }
}
