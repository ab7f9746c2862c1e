import type { Db } from '@store/db';

/** How often a transaction ran again while `work` did: libs/db does that only after a deadlock or a serialisation failure. */
export async function rerunsOf(db: Db, work: () => Promise<unknown>): Promise<number> {
  const { unit } = db;
  let reruns = 0;
  db.unit = (storeId, run) => {
    let runs = 0;
    return unit(storeId, (em) => {
      if (++runs > 1) reruns += 1;
      return run(em);
    });
  };
  try {
    await work();
  } finally {
    db.unit = unit;
  }
  return reruns;
}
