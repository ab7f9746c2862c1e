/** Keys and peppers that rows name by id: without one of them those rows are unreadable, so the service refuses to start. */
import { type Db, type KeyRing, keysNamed, openDb, reseal, type SealedRows, systemClock } from '@store/db';
import { refuseBadConfig } from './config.ts';

export interface NamingRows extends Pick<SealedRows, 'what' | 'count'> {
  setting: string;
  ids: readonly number[];
}

/** Throws a BadConfig that names the missing key and how many rows name it. */
export async function demandNamedKeys(db: Db, naming: NamingRows[]): Promise<void> {
  const lines: string[] = [];
  for (const { setting, ids, ...rows } of naming) {
    for (const [id, count] of await keysNamed(db, rows)) {
      if (!ids.includes(id)) lines.push(`${setting} lacks key ${id}, which ${count} ${rows.what} name`);
    }
  }
  refuseBadConfig(lines);
}

export const resealUsage = (variables: string): string =>
  `reseal: moves what is encrypted under an older of SECRET_KEYS to the newest, and says which keys may go. It may run while the processes do.

It reads ${variables}, those of the processes.`;

interface ResealOptions {
  app: string;
  url: string;
  ring: KeyRing;
  rows: SealedRows[];
  /** Rows that name a key and cannot be moved by this command. */
  others?: NamingRows[];
  say: (line: string) => void;
}

/** Moves an app's rows to the newest key, and lists the keys that are no longer needed. False: something could not be decrypted. */
export async function resealApp({ app, url, ring, rows, others = [], say }: ResealOptions): Promise<boolean> {
  const db = await openDb({ url, schema: app, entities: [], poolMax: 2, clock: systemClock });
  try {
    let isWhole = true;
    for (const sealed of rows) {
      const { moved, unreadable } = await reseal(db, ring, sealed);
      say(`${app}: ${moved} ${sealed.what} moved to key ${ring.ids[0]} of SECRET_KEYS.`);
      if (unreadable > 0) say(`${app}: ${unreadable} ${sealed.what} cannot be opened with the keys that are there, and stay.`);
      isWhole &&= unreadable === 0;
    }
    const naming = [...rows.map((sealed) => ({ ...sealed, setting: 'SECRET_KEYS', ids: ring.ids })), ...others];
    for (const line of await standingOf(db, naming)) say(`${app}: ${line}`);
    return isWhole;
  } finally {
    await db.close();
  }
}

/** For each key but the newest of its setting: the rows that still name it, or that none does. */
async function standingOf(db: Db, naming: NamingRows[]): Promise<string[]> {
  const named = new Map<string, string[]>();
  for (const { setting, ids, ...rows } of naming) {
    const counts = await keysNamed(db, rows);
    for (const id of new Set([...ids.slice(1), ...counts.keys()])) {
      if (id === ids[0]) continue;
      const users = named.get(`key ${id} of ${setting}`) ?? [];
      const count = counts.get(id) ?? 0;
      named.set(`key ${id} of ${setting}`, count > 0 ? [...users, `${count} ${rows.what}`] : users);
    }
  }
  return [...named].map(([key, users]) => (users.length === 0 ? `${key} may go.` : `${key} must stay: ${users.join(', ')} name it.`));
}
