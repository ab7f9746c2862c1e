/** GET /gift_cards/snapshot, for tills that work offline. */
import type { GiftCardSnapshot } from '@store/protos/sales/v1.ts';
import { Reply } from '@store/rpc';
import type { Sales, Verb } from '../sales.ts';
import { tables } from '../tables.ts';
import { snapshotCardView } from './gift-card.view.ts';

export const snapshotCardsMax = 20_000;
/** Cards of one message: small enough that neither process holds much, large enough that few statements do. */
const cardsPerMessage = 1_000;

/**
 * Every active card that has not expired, by id, up to 20,000 (D45, D120). The last card is determined before the
 * first byte, and so is the header; a card that is spent meanwhile is left out or shown as it is by then, so that no till
 * trusts more than `generated_at` promises.
 */
export const snapshotGiftCards: Verb<'SnapshotGiftCards'> = async (app, _request, call) => {
  const now = app.db.clock.now();
  const { storeId } = call.caller;
  const ids = spendable(storeId, now)
    .select('id')
    .orderBy('id')
    .limit(snapshotCardsMax + 1);
  const bounds = tables.selectFrom(ids.as('card')).select(({ fn }) => [fn.countAll<number>().as('total'), fn.max('card.id').as('lastId')]);
  const [found] = await app.db.read(bounds);
  const isTruncated = found!.total > snapshotCardsMax;
  const headers = isTruncated ? { 'X-Truncated': 'true' } : undefined;
  const rest = pages(app, { storeId, now, lastId: Number(found!.lastId ?? 0), isTruncated });
  return new Reply<GiftCardSnapshot>({ generated_at: now.toISOString() }, { headers, rest });
};

interface Pages {
  storeId: number;
  now: Date;
  /** Of the last card; when truncated, of the first one that is left out. */
  lastId: number;
  isTruncated: boolean;
}

async function* pages(app: Sales, { storeId, now, lastId, isTruncated }: Pages): AsyncGenerator<GiftCardSnapshot> {
  for (let afterId = 0, left = snapshotCardsMax; left > 0; ) {
    const limit = Math.min(left, cardsPerMessage);
    const page = spendable(storeId, now)
      .select(['id', 'card_number', 'balance', 'held', 'expires_at'])
      .where('id', '>', afterId)
      .where('id', isTruncated ? '<' : '<=', lastId)
      .orderBy('id')
      .limit(limit);
    const cards = await app.db.read(page);
    if (cards.length > 0) yield { cards: cards.map(snapshotCardView) };
    if (cards.length < limit) return;
    afterId = cards.at(-1)!.id;
    left -= cards.length;
  }
}

const spendable = (storeId: number, now: Date) =>
  tables
    .selectFrom('gift_cards')
    .where('store_id', '=', storeId)
    .where('status', '=', 'active')
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', now)]));
