import { type ConsumerDeclaration, consumeStores, wantsStore } from '@store/service';
import type { Customers } from './customers.ts';
import { consumeProducts, wantsProduct } from './products/consume-products.ts';
import { consumeSales } from './sales/consume-sales.ts';
import { wantsSale } from './sales/sale-message.ts';

export function consumeEvents(app: Customers): ConsumerDeclaration {
  return {
    wants: (message) => wantsStore(message) || wantsSale(message) || wantsProduct(message),
    // A register shows the points of the last sale, so sales are handled at once; names of products may be late.
    isAwaited: (message) => !wantsProduct(message),
    handle: async (em, messages) => {
      await consumeStores(em, app.db.schema, messages);
      await consumeProducts(em, messages.filter(wantsProduct));
      await consumeSales(app, em, messages.filter(wantsSale));
    },
  };
}
