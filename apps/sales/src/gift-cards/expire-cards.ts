/** Marks cards whose expiry has passed, audited as a change by the system (D118). */
import { sql } from '@store/db';
import { systemCaller } from '@store/rpc';
import { recordChange } from '@store/service';
import type { Sales } from '../sales.ts';
import { tables } from '../tables.ts';
import { GiftCard } from './gift-card.ts';

interface ExpiringCards {
  storeId: number;
  /** Of the request that noticed it. */
  requestId?: string;
  ids: number[];
}

/** Each card is marked, and audited, once, however many ask for it at the same time. Returns how many were marked here. */
export async function expireCards(app: Sales, { storeId, requestId, ids }: ExpiringCards): Promise<number> {
  const now = app.db.clock.now();
  const caller = { ...systemCaller(storeId), ...(requestId !== undefined && { requestId }) };
  return app.db.unit(storeId, async (em) => {
    const marked = await sql(
      em,
      tables
        .updateTable('gift_cards')
        .set({ status: 'expired', updated_at: now })
        .where('store_id', '=', storeId)
        .where((card) => card('id', '=', card.fn.any(card.val(ids))))
        .where('status', '=', 'active')
        .where('expires_at', '<=', now)
        .returning('id'),
    );
    for (const { id } of marked) {
      await recordChange(em, app, { caller }, GiftCard, id, { before: { status: 'active' }, after: { status: 'expired' } });
    }
    return marked.length;
  });
}
