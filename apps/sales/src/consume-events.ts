import type { EntityManager } from '@store/db';
import type { Consumer, Message } from '@store/events';
import { consumeStores, wantsStore } from '@store/service';
import { consumeCustomers, wantsCustomer } from './customers/consume-customers.ts';
import type { Sales } from './sales.ts';

export function consumeEvents({ db }: Sales): Pick<Consumer, 'wants' | 'handle'> {
  return {
    wants: (message) => wantsStore(message) || wantsCustomer(message),
    handle: async (em: EntityManager, messages: Message[]) => {
      const stores = messages.filter(wantsStore);
      if (stores.length > 0) await consumeStores(em, db.schema, stores);
      const customers = messages.filter(wantsCustomer);
      if (customers.length > 0) await consumeCustomers(db, em, customers);
    },
  };
}
