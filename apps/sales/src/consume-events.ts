/** What sales does with the events of other apps. */
import type { Consumer } from '@store/events';
import { consumeStores, wantsStore } from '@store/service';
import type { Sales } from './sales.ts';

export function consumeEvents({ db }: Sales): Pick<Consumer, 'wants' | 'handle'> {
  return { wants: wantsStore, handle: (em, messages) => consumeStores(em, db.schema, messages) };
}
