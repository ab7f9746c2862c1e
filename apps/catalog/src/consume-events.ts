/** What the catalogue does with the events of inventory, purchasing and the gateway. */
import type { Consumer } from '@store/events';
import { consumeStores, wantsStore } from '@store/service';
import type { Catalog } from './catalog.ts';
import { consumeReceipts, wantsReceipt } from './receipts/consume-receipts.ts';
import { consumeStock, unappliedStock, wantsStock } from './stock/consume-stock.ts';

export function consumeEvents(app: Catalog): Pick<Consumer, 'wants' | 'handle' | 'pending'> {
  return {
    wants: (message) => wantsStock(message) || wantsReceipt(message) || wantsStore(message),
    pending: async (messages) => {
      const unapplied = new Set(await unappliedStock(app.db, messages.filter(wantsStock)));
      return messages.filter((message) => !wantsStock(message) || unapplied.has(message));
    },
    handle: async (em, messages) => {
      const stores = messages.filter(wantsStore);
      if (stores.length > 0) await consumeStores(em, 'catalog', stores);
      await consumeReceipts(app, em, messages.filter(wantsReceipt));
      await consumeStock(app, em, messages.filter(wantsStock));
    },
  };
}
