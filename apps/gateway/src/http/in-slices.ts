/**
 * A page of a list whose records are too large to be read at once: it is asked for in smaller pages, each of which is sent before the
 * next is requested. Memory stays flat in both processes, a slow reader holds no resource of the service, and a closed client ends it.
 */
import { itemsOf, type Member, type PagedList } from '@store/contract';
import { type Page, type PaginationView, paginationView, parsePage } from '@store/input';
import { Problem } from '@store/problem';
import type { Answered } from './exchange.ts';

type Fields = Record<string, unknown>;
type AskPage = (fields: Fields) => Promise<Answered>;

/** Whether a page, or a part of it, must be requested in smaller ones. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof Problem && error.kind === 'too_large';
}

/** The answer of the whole page; a refusal of its first slice refuses it. */
export async function inSlices({ name, perPage }: PagedList, fields: Fields, ask: AskPage): Promise<Answered> {
  const page = parsePage(fields as { page?: string; per_page?: string }, perPage);
  const slices = slicesOf(page, fields, ask);
  const { value: first } = await slices.next();
  const { members, status, headers } = first!;
  const pagination = paginationView(page, totalOf(members));
  async function* items() {
    yield itemsOf(members, name);
    for await (const slice of slices) yield itemsOf(slice.members, name);
  }
  const own = members.map(([member, json]): Member => (member === 'pagination' ? [member, JSON.stringify(pagination)] : [member, json]));
  return { status, headers, members: own, rest: { list: name, items: items(), cancel: () => undefined } };
}

/** With a cursor: a shorter page, as its own cursor says where the rest begins. */
export async function shorterPage({ perPage }: PagedList, fields: Fields, ask: AskPage): Promise<Answered> {
  const page = parsePage(fields as { per_page?: string; after?: string }, perPage);
  for (let size = page.perPage; ; ) {
    size = largestPart(size);
    try {
      return await ask({ ...fields, per_page: String(size) });
    } catch (error) {
      if (size === 1 || !isTooLarge(error)) throw error;
    }
  }
}

/** Pages of the same list, whose sizes divide the page's, so that they begin and end with it. */
async function* slicesOf({ offset, perPage }: Page, fields: Fields, ask: AskPage): AsyncGenerator<Answered, undefined> {
  let size = largestPart(perPage);
  let end = offset + perPage;
  for (let from = offset; from < end; ) {
    const slice = await ask({ ...fields, page: String(from / size + 1), per_page: String(size) }).catch((error: unknown) => {
      if (size > 1 && isTooLarge(error)) return undefined;
      throw error;
    });
    if (!slice) {
      size = largestPart(size);
      continue;
    }
    end = Math.min(end, totalOf(slice.members));
    from += size;
    yield slice;
  }
}

/** The largest proper divisor; 1 of 1. */
function largestPart(size: number): number {
  for (let part = Math.floor(size / 2); part > 1; part--) if (size % part === 0) return part;
  return 1;
}

function totalOf(members: Member[]): number {
  const pagination = members.find(([name]) => name === 'pagination')![1];
  return (JSON.parse(pagination) as PaginationView).total_count;
}
