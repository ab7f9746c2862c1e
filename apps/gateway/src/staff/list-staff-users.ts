import { byName } from '@store/db';
import type { Verb } from '../gateway.ts';
import { tables } from '../tables.ts';
import { staffUserColumns, staffUserView } from './staff-user.ts';

/** Lists that are not paginated are capped (D44). */
const staffUsersMax = 500;

/** The store's staff by name, disabled ones included. */
export const listStaffUsers: Verb<'ListStaffUsers'> = async (app, _request, { caller }) => {
  const users = tables.selectFrom('staff_users').select(staffUserColumns).where('store_id', '=', caller.storeId);
  const found = await app.db.read(users.orderBy(byName).orderBy('id').limit(staffUsersMax));
  return { staff_users: found.map(staffUserView) };
};
