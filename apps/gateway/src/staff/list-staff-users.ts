import { byName } from '@store/db';
import { cappedList } from '@store/service';
import type { Verb } from '../gateway.ts';
import { tables } from '../tables.ts';
import { staffUserColumns, staffUserView } from './staff-user.ts';

/** The store's staff by name, disabled ones included. */
export const listStaffUsers: Verb<'ListStaffUsers'> = async (app, _request, { caller }) => {
  const users = tables.selectFrom('staff_users').select(staffUserColumns).where('store_id', '=', caller.storeId);
  return cappedList({
    read: (limit) => app.db.read(users.orderBy(byName).orderBy('id').limit(limit)),
    answer: (rows) => ({ staff_users: rows.map(staffUserView) }),
  });
};
