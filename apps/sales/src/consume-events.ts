import type { Consumer } from '@store/events';
import { consumeStores, wantsStore } from '@store/service';
import { consumeCustomers, wantsCustomer } from './customers/consume-customers.ts';
import type { Sales } from './sales.ts';

export function consumeEvents({ db }: Sales): Pick<Consumer, 'wants' | 'handle'> {
  return {
    wants: (message) => wantsStore(message) || wantsCustomer(message),
    handle: async (em, messages) => {
      await consumeStores(em, db.schema, messages);
      const customers = messages.filter(wantsCustomer);
      if (customers.length > 0) await consumeCustomers(db, em, customers);
    },
  };
}
