import { p } from '@mikro-orm/core';
import { Store } from './store.ts';

/** The store as the begin of a primary key (D279); no row can name one that is not there. */
export const ofStore = (table: string) =>
  p
    .manyToOne(Store)
    .primary()
    .mapToPk()
    .fieldName('store_id')
    .foreignKeyName(`${table}_store_id_fkey`)
    .updateRule('no action')
    .deleteRule('no action')
    .returning();
