import type { Db } from '@store/db';

/**
 * Runs `work` and, once its first read is answered, `change`; its other reads come after that. An answer that is put together
 * from several statements then shows two states at once.
 */
export async function changedBetweenReads<T>(db: Db, change: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  const { read } = db;
  let changed: Promise<unknown> | undefined;
  let isChanging = false;
  db.read = async (...statement) => {
    // Those of the change itself.
    if (isChanging) return read(...statement);
    if (changed) {
      await changed;
      return read(...statement);
    }
    const first = read(...statement);
    changed = first.then(async () => {
      isChanging = true;
      await change();
      isChanging = false;
    });
    await changed;
    // biome-ignore lint/suspicious/noExplicitAny: rows of the caller's type.
    return first as any;
  };
  try {
    return await work();
  } finally {
    db.read = read;
  }
}
