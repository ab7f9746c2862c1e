import { tables } from '../tables.ts';

/** A customer and those that were merged into it, as c. */
export const itsRows = (storeId: number, id: number) =>
  tables
    .selectFrom('customers as c')
    .where('c.store_id', '=', storeId)
    .where((eb) => eb.or([eb('c.id', '=', id), eb('c.merged_into', '=', id)]));

/** Their ids: what they redeemed counts. */
export const itsIds = (storeId: number, id: number) => itsRows(storeId, id).select('c.id');
