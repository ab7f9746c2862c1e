/** Lists that are read by cursors (D284): a page of them names the cursor of the next. */
import type { PagedList } from '@store/contract';
import { cursorOf, parsePage } from '@store/input';
import { Reply } from '@store/rpc';
import type { AnyVerb } from './bounded-lists.ts';

/** Header of an answer to the gateway, which makes a Link of it. */
export const nextAfter = 'next-after';

interface Item {
  id: number;
  created_at?: string;
}

/** The verb reads one row more than the page shows (`Page.limit`): where it is there, the row before it has the cursor. */
export function walked({ name, perPage: perPageDefault }: PagedList, verb: AnyVerb): AnyVerb {
  return async (request: { after?: string }, call) => {
    const answer = await verb(request as never, call);
    if (request.after === undefined) return answer;
    const { page, perPage } = parsePage(request, perPageDefault);
    const message = answer as Record<string, Item[]>;
    const items = message[name]!;
    if (items.length <= perPage) return answer;
    const shown = items.slice(0, perPage);
    const { id, created_at = 0 } = shown.at(-1)!;
    const cursor = cursorOf(page + 1, { id, createdAt: new Date(created_at) });
    return new Reply({ ...message, [name]: shown }, { headers: { [nextAfter]: cursor } });
  };
}
