/** Rows sealed under a key of the ring: which keys they name, and sealing them again under the newest key. */
import type { Db } from './db.ts';
import type { KeyRing } from './key-ring.ts';
import { sql } from './sql.ts';

export interface SealedRows {
  /** In the plural, such as `signing secrets`. */
  what: string;
  /** Rows with `id` and `rows`: how many rows name which key. */
  count: string;
  /** Rows with `name`, `sealed` and `associated`, by name: at most $3 after $1 whose text does not start with $2. */
  select: string;
  /** Sets row $1 to $3 if it still holds $2. */
  update: string;
}

interface SealedRow {
  name: string;
  sealed: string;
  associated: string;
}

interface Resealed {
  moved: number;
  /** Rows that no key of the ring opens; they stay as they are. */
  unreadable: number;
}

const batchRows = 500;

export async function keysNamed(db: Db, { count }: Pick<SealedRows, 'count'>): Promise<Map<number, number>> {
  const rows = await db.read<{ id: number; rows: number }>(count);
  return new Map(rows.map((row) => [row.id, row.rows]));
}

/** Seals every row again that is not under the newest key. Safe while the apps run, and safe to repeat. */
export async function reseal(db: Db, ring: KeyRing, rows: SealedRows): Promise<Resealed> {
  const result: Resealed = { moved: 0, unreadable: 0 };
  const newest = `v1|${ring.ids[0]}|%`;
  for (let behind = ''; ; ) {
    const batch = await db.read<SealedRow>(rows.select, [behind, newest, batchRows]);
    const moved = batch.map((row) => ({ row, anew: sealAnew(ring, row) }));
    await db.unit(0, async (em) => {
      for (const { row, anew } of moved) if (anew) await sql(em, rows.update, [row.name, row.sealed, anew]);
    });
    result.moved += moved.filter(({ anew }) => anew).length;
    result.unreadable += moved.filter(({ anew }) => !anew).length;
    if (batch.length < batchRows) return result;
    behind = batch.at(-1)!.name;
  }
}

/** Undefined when no key opens it: an expected outcome, which is counted and reported. */
function sealAnew(ring: KeyRing, { sealed, associated }: SealedRow): string | undefined {
  let plain: Buffer;
  try {
    plain = ring.open(sealed, associated);
  } catch {
    return undefined;
  }
  return ring.seal(plain, associated);
}

/** How many rows of a table name which key; a text that is not sealed names none. */
export function countByKey(table: string, sealed: string, condition = 'true'): string {
  const id = `substring(${sealed} from '^v1[|](\\d{1,9})[|]')`;
  return `select ${id}::int as id, count(*)::int as rows from ${table} where ${condition} and ${id} is not null group by 1`;
}

/** Stored answers that hold a secret; `associated` is the SQL of what binds an answer to its row. */
export function sealedAnswers(schema: string, associated: string): SealedRows {
  // No message begins with these bytes: 0x76 would be a field of wire type 6, which does not exist.
  const isSealed = `substring(answer from 1 for 3) = 'v1|'::bytea`;
  const head = `encode(substring(answer from 1 for 20), 'escape')`;
  const name = `json_build_array(store_id, actor, key)::text collate "C"`;
  return {
    what: 'stored answers',
    count: countByKey(`${schema}.idempotency`, head, isSealed),
    select: `select ${name} as name, encode(answer, 'escape') as sealed, ${associated} as associated from ${schema}.idempotency
      where ${isSealed} and ${name} > $1 and ${head} not like $2 order by 1 limit $3`,
    update: `update ${schema}.idempotency set answer = $3::text::bytea
      where store_id = ($1::json->>0)::bigint and actor = $1::json->>1 and key = $1::json->>2 and answer = $2::text::bytea`,
  };
}
