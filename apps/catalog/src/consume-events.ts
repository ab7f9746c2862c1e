/** What the catalogue does with the events of inventory and the gateway. */
import type { Consumer } from '@store/events';
import { consumeStores, wantsStore } from '@store/service';
import type { Catalog } from './catalog.ts';
import { consumeStock, wantsStock } from './stock/consume-stock.ts';

export function consumeEvents(app: Catalog): Pick<Consumer, 'wants' | 'handle'> {
  return {
    wants: (message) => wantsStock(message) || wantsStore(message),
    handle: async (em, messages) => {
      const stores = messages.filter(wantsStore);
      if (stores.length > 0) await consumeStores(em, 'catalog', stores);
      await consumeStock(app, em, messages.filter(wantsStock));
    },
  };
}
