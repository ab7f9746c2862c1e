/** Marks each pepper: with another one under a used number the process would start and refuse every key. */
import { createHmac } from 'node:crypto';
import { type Db, keysNamed } from '@store/db';
import { refuseBadConfig } from '@store/service';
import { hashedKeys } from '../sealed.ts';
import { tables } from '../tables.ts';
import type { Pepper } from './key-text.ts';

/** Not a possible key: keys begin with their prefix. */
const marked = 'mark of a pepper';

/** Throws a BadConfig for a pepper that differs from the one with which valid keys of its number were hashed. */
export async function demandSamePeppers(db: Db, peppers: Pepper[]): Promise<void> {
  const named = await keysNamed(db, hashedKeys(peppers));
  const lines: string[] = [];
  for (const { id, secret } of peppers) {
    const mark = createHmac('sha256', secret).update(marked).digest();
    const kept = await keepMark(db, id, mark);
    if (kept.equals(mark)) continue;
    if (named.has(id)) lines.push(`KEY_PEPPERS: key ${id} is not the one with which ${named.get(id)} API keys were hashed`);
    else await db.read(tables.updateTable('pepper_marks').set({ mark }).where('pepper_id', '=', id));
  }
  refuseBadConfig(lines);
}

async function keepMark(db: Db, id: number, mark: Buffer): Promise<Buffer> {
  await db.read(
    tables
      .insertInto('pepper_marks')
      .values({ pepper_id: id, mark })
      .onConflict((taken) => taken.doNothing()),
  );
  const [row] = await db.read(tables.selectFrom('pepper_marks').select('mark').where('pepper_id', '=', id));
  return Buffer.from(row!.mark);
}
