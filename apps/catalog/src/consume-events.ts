/** Consumes the events of inventory, purchasing and the gateway. */
import type { EntityManager } from '@store/db';
import type { Consumer, Message } from '@store/events';
import { consumeStores, storeCaller, wantsStore } from '@store/service';
import type { Catalog } from './catalog.ts';
import { emitUpdated } from './products/emit-products.ts';
import { linesOf, wantsReceipt } from './receipts/consume-receipts.ts';
import { keepCosts } from './receipts/keep-costs.ts';
import { applyLevels } from './stock/apply-stock.ts';
import { levelOf, unappliedStock, wantsStock } from './stock/consume-stock.ts';

export function consumeEvents(app: Catalog): Pick<Consumer, 'wants' | 'handle' | 'pending'> {
  return {
    wants: (message) => wantsStock(message) || wantsReceipt(message) || wantsStore(message),
    pending: async (messages) => {
      const unapplied = new Set(await unappliedStock(app.db, messages.filter(wantsStock)));
      return messages.filter((message) => !wantsStock(message) || unapplied.has(message));
    },
    handle: async (em, messages) => {
      await consumeStores(em, 'catalog', messages);
      const byStore = Map.groupBy(
        messages.filter((message) => wantsStock(message) || wantsReceipt(message)),
        (message) => message.storeId,
      );
      for (const [storeId, mine] of [...byStore].sort(([a], [b]) => a - b)) await changeProducts(app, em, storeId, mine);
    },
  };
}

/** D60: one product.updated per product and commit, though a receipt changes its costs and its stock. */
async function changeProducts(app: Catalog, em: EntityManager, storeId: number, messages: Message[]): Promise<void> {
  const caller = await storeCaller(em, 'catalog', storeId);
  const costed = await keepCosts(em, app, storeId, messages.filter(wantsReceipt).flatMap(linesOf));
  const { moved } = await applyLevels(em, app, storeId, messages.filter(wantsStock).map(levelOf));
  await emitUpdated(em, app, caller, [...costed, ...moved]);
}
