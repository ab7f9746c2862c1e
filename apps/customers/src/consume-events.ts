/** What customers does with the events of other apps. */
import type { Consumer } from '@store/events';
import { consumeStores, wantsStore } from '@store/service';
import type { Customers } from './customers.ts';

export function consumeEvents({ db }: Customers): Pick<Consumer, 'wants' | 'handle'> {
  return { wants: wantsStore, handle: (em, messages) => consumeStores(em, db.schema, messages) };
}
