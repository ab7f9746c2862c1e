/** What customers does with the events of other apps. */
import type { Consumer } from '@store/events';
import { consumeStores, wantsStore } from '@store/service';
import type { Customers } from './customers.ts';
import { consumeProducts, wantsProduct } from './products/consume-products.ts';
import { consumeSales } from './sales/consume-sales.ts';
import { wantsSale } from './sales/sale-message.ts';

export function consumeEvents(app: Customers): Pick<Consumer, 'wants' | 'handle'> {
  return {
    wants: (message) => wantsStore(message) || wantsSale(message) || wantsProduct(message),
    handle: async (em, messages) => {
      const stores = messages.filter(wantsStore);
      if (stores.length > 0) await consumeStores(em, app.db.schema, stores);
      await consumeProducts(em, messages.filter(wantsProduct));
      await consumeSales(app, em, messages.filter(wantsSale));
    },
  };
}
