import { tables } from '../tables.ts';

/** The ids of a customer and of those that were merged into it: what they redeemed counts. */
export const itsIds = (storeId: number, id: number) =>
  tables
    .selectFrom('customers as c')
    .select('c.id')
    .where('c.store_id', '=', storeId)
    .where((eb) => eb.or([eb('c.id', '=', id), eb('c.merged_into', '=', id)]));
