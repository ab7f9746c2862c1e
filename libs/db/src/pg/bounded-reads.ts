/** Bounds the bytes that the reads of one piece of work bring into memory: a page with large rows is then read in smaller parts. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Problem } from '@store/problem';

/** What the reads may still bring; negative: they brought too much. */
export interface RowBytes {
  left: number;
  /** Rows beyond it are left out; otherwise none of the rows is had. */
  cuts?: true;
}

const bounds = new AsyncLocalStorage<RowBytes>();

/** Runs `work`, whose reads together may bring that many bytes of rows; beyond them they reject with the Problem `too_large`. */
export function withinBytes<T>(bytesMax: number, work: () => Promise<T>): Promise<T> {
  const bound = { left: bytesMax };
  // A timer that the work has set is not part of it.
  return bounds.run(bound, work).finally(() => {
    bound.left = Number.POSITIVE_INFINITY;
  });
}

/** The first rows that `read` finds: at most `max`, and of large ones those that together take as many bytes; `isCut`: there are more. */
export async function firstRows<Row>(
  max: number,
  bytesMax: number,
  read: (limit: number) => Promise<Row[]>,
): Promise<{ rows: Row[]; isCut: boolean }> {
  const bound: RowBytes = { left: bytesMax, cuts: true };
  const rows = await bounds.run(bound, () => read(max + 1));
  return { rows: rows.slice(0, max), isCut: bound.left < 0 || rows.length > max };
}

export const currentBound = (): RowBytes | undefined => bounds.getStore();

export async function demandWithin<Rows>(bound: RowBytes | undefined, rows: Promise<Rows>): Promise<Rows> {
  if (!bound) return rows;
  try {
    const found = await rows;
    if (bound.left >= 0 || bound.cuts) return found;
  } catch (error) {
    // The statement lost its connection on purpose.
    if (bound.left >= 0 || bound.cuts) throw error;
  }
  throw new Problem('too_large', 'The rows are too large to be read at once');
}
