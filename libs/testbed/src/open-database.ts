/** The migrated database of an app as its process opens it, with an injected clock and a log that keeps its lines. */
import { type Db, openDb } from '@store/db';
import { commonEntities, type Log } from '@store/service';
import { capturingLog } from './log.ts';
import { type DeclaredSchema, migratedSchema } from './schema.ts';
import { SetClock } from './set-clock.ts';

interface OpenDatabase {
  url: string;
  db: Db;
  clock: SetClock;
  log: Log;
  /** What was logged. */
  lines: Record<string, unknown>[];
  close(): Promise<void>;
}

/** `now`: ISO time at the start. `poolMax`: connections at most. */
export async function openDatabase(declared: DeclaredSchema, { now, poolMax }: { now: string; poolMax?: number }): Promise<OpenDatabase> {
  const database = await migratedSchema(declared);
  const clock = new SetClock(now);
  const entities = [...declared.entities, ...commonEntities];
  const db = await openDb({ url: database.url, schema: declared.app, entities, clock, poolMax });
  const close = async () => {
    await db.close();
    await database.close();
  };
  return { url: database.url, db, clock, ...capturingLog(), close };
}
