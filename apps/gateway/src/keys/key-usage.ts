/** Usage of keys, counted in memory and written every 30 seconds: a write per request would cost more than the request. */
import { type Db, sql } from '@store/db';
import { tables } from '../tables.ts';
import type { KeyRecord } from './key-record.ts';

interface Minute {
  requests: number;
  rate_limited: number;
  unauthorized: number;
}

type UsedKey = Pick<KeyRecord, 'keyId'> & { store: Pick<KeyRecord['store'], 'storeId'> };

interface Used {
  /** Absent: its hash alone is known. */
  key?: UsedKey;
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
    select * from jsonb_to_recordset($1) as u(store_id bigint, key_id bigint, used_at timestamptz, scopes jsonb)
  ), counted as (
    insert into gateway.key_usage as k (store_id, key_id, minute, requests, rate_limited, unauthorized)
    select store_id, key_id, minute, requests, rate_limited, unauthorized
    from jsonb_to_recordset($2) as c(store_id bigint, key_id bigint, minute timestamptz,
      requests bigint, rate_limited bigint, unauthorized bigint)
    order by store_id, key_id, minute
    on conflict (store_id, key_id, minute) do update set requests = k.requests + excluded.requests,
      rate_limited = k.rate_limited + excluded.rate_limited, unauthorized = k.unauthorized + excluded.unauthorized
  ), dropped as (
    delete from gateway.key_usage where minute < $3
  )
  update gateway.api_keys k set
    last_used_at = greatest(k.last_used_at, used.used_at),
    scopes_used = (select coalesce(array_agg(distinct s order by s), '{}')
                   from (select unnest(k.scopes_used) union select jsonb_array_elements_text(used.scopes)) as all_scopes(s))
  from used where k.store_id = used.store_id and k.id = used.key_id`;

export class KeyUsage {
  readonly #db: Db;
  #used = new Map<number | string, Used>();

  constructor(db: Db) {
    this.#db = db;
  }

  record(key: UsedKey, scope: string, at: Date): void {
    const used = this.#count(key, 'requests', at);
    if (!used.lastUsedAt || at > used.lastUsedAt) used.lastUsedAt = at;
    if (scope !== '') used.scopes.add(scope);
  }

  /** Counts one request of a key that was refused before anything else was asked. Of a key that is revoked: its hash (hex). */
  refused(key: UsedKey | string, as: 'rate_limited' | 'unauthorized', at: Date): void {
    this.#count(key, as, at);
  }

  /** Writes the counts since the last call; after a failure they are part of the next write. */
  async flush(): Promise<void> {
    if (this.#used.size === 0) return;
    const taken = this.#used;
    this.#used = new Map();
    try {
      const byHash = await this.#keysOf([...taken.keys()].filter((name) => typeof name === 'string'));
      const entries = [...taken].flatMap(([name, { key = byHash.get(name), ...used }]) => (key ? [{ ...idsOf(key), ...used }] : []));
      const used = entries.flatMap(({ store_id, key_id, lastUsedAt, scopes }) =>
        lastUsedAt ? [{ store_id, key_id, used_at: lastUsedAt, scopes: [...scopes] }] : [],
      );
      const oldest = new Date(this.#db.clock.now().getTime() - keptMs);
      await this.#db.unit(0, (em) => sql(em, writeUsage, [JSON.stringify(used), JSON.stringify(minutesOf(entries)), oldest]));
    } catch (error) {
      this.#takeBack(taken);
      throw error;
    }
  }

  #count(key: UsedKey | string, as: keyof Minute, at: Date): Used {
    const name = typeof key === 'string' ? key : key.keyId;
    const used = this.#used.get(name) ?? { ...(typeof key !== 'string' && { key }), scopes: new Set(), minutes: new Map() };
    this.#used.set(name, used);
    addTo(used.minutes, at.getTime() - (at.getTime() % minuteMs), { ...none, [as]: 1 });
    return used;
  }

  async #keysOf(hashes: string[]): Promise<Map<number | string, UsedKey>> {
    if (hashes.length === 0) return new Map();
    const bytes = hashes.map((hash) => Buffer.from(hash, 'hex'));
    const rows = await this.#db.read(tables.selectFrom('api_keys').select(['id', 'store_id', 'hash']).where('hash', 'in', bytes));
    return new Map(rows.map(({ id, store_id, hash }) => [Buffer.from(hash).toString('hex'), { keyId: id, store: { storeId: store_id } }]));
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

interface KeyIds {
  store_id: number;
  key_id: number;
}

const idsOf = ({ keyId, store }: UsedKey): KeyIds => ({ store_id: store.storeId, key_id: keyId });

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
function minutesOf(entries: (KeyIds & { minutes: Map<number, Minute> })[]): object[] {
  const byKey = new Map<number, KeyIds & { minutes: Map<number, Minute> }>();
  for (const { store_id, key_id, minutes } of entries) {
    const all = byKey.get(key_id) ?? { store_id, key_id, minutes: new Map<number, Minute>() };
    byKey.set(key_id, all);
    for (const [minute, counts] of minutes) addTo(all.minutes, minute, counts);
  }
  return [...byKey.values()].flatMap(({ minutes, ...ids }) =>
    [...minutes].map(([minute, counts]) => ({ ...ids, minute: new Date(minute), ...counts })),
  );
}
