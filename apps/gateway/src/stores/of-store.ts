import { p } from '@mikro-orm/core';
import { Store } from './store.ts';

export const ofStore = (table: string) =>
  p
    .manyToOne(Store)
    .mapToPk()
    .fieldName('store_id')
    .foreignKeyName(`${table}_store_id_fkey`)
    .updateRule('no action')
    .deleteRule('no action');
