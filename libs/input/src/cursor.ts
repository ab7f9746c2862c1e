/** Cursors of lists that are read while they change (D284): opaque for clients, and no secret, as every statement filters by store. */
import { Problem } from '@store/problem';

/** The row after which a page begins, by what never changes of a row. */
export interface Mark {
  id: number;
  createdAt: Date;
}

const written = /^(\d{1,9})\.(\d{1,16})\.(\d{1,15})$/;

/** The cursor behind a row; `page` is the number of the page that follows it. */
export function cursorOf(page: number, { id, createdAt }: Mark): string {
  return Buffer.from(`${page}.${id}.${createdAt.getTime()}`).toString('base64url');
}

/** What `cursorOf` wrote. Anything else is refused: to begin again without a word would have a client read in circles. */
export function parseCursor(text: string): { page: number; mark: Mark } {
  const [, page, id, createdAt] = written.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  const mark = { id: Number(id), createdAt: new Date(Number(createdAt)) };
  if (!Number.isSafeInteger(mark.id) || cursorOf(Number(page), mark) !== text)
    throw new Problem('invalid', 'after must be empty or the cursor of an earlier answer');
  return { page: Number(page), mark };
}
