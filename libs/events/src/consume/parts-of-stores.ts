/** The transactions of a batch: one, or one for each store where its tables are distributed by store. */
import type { Db } from '@store/db';
import type { Message } from '../message.ts';

/** Each part has a connection of the pool, and requests need some too. */
const partsAtOnce = 4;
/**
 * A worker that does not answer costs each of its stores 15 s, and a consumer without progress for 60 s counts as stuck. So a batch that
 * has failed, and will be delivered again, begins no more parts after this time.
 */
const failingMaxMs = 20_000;

/** What is taken in one transaction each: all, or the messages of one store, whose rows lie on one worker. */
export async function partsOf(db: Db, messages: Message[]): Promise<Message[][]> {
  if (messages.length === 0) return [];
  if ((await db.placement()) !== 'stores') return [messages];
  return [...Map.groupBy(messages, ({ storeId }) => storeId).values()];
}

/** Takes the parts, some at once. One that fails holds up no store of another worker; the first failure is thrown at the end. */
export async function takeParts({ pool }: Db, parts: Message[][], take: (part: Message[]) => Promise<void>): Promise<void> {
  const endsAtMs = performance.now() + failingMaxMs;
  const failures: unknown[] = [];
  const waiting = fromAny(parts).values();
  const takeOneByOne = async () => {
    for (const part of waiting) {
      if (failures.length > 0 && performance.now() > endsAtMs) return;
      await take(part).catch((error: unknown) => void failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(partsAtOnce, pool.max) }, takeOneByOne));
  if (failures.length > 0) throw failures[0];
}

/** Begins with another part at each try, as the last ones may not have been begun. */
function fromAny<T>(parts: T[]): T[] {
  const first = Math.floor(Math.random() * parts.length);
  return [...parts.slice(first), ...parts.slice(0, first)];
}
