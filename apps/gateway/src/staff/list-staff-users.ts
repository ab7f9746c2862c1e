import type { ListStaffUsersRequest__Output } from '@store/protos/gateway/v1/ListStaffUsersRequest.ts';
import type { ListStaffUsersResponse } from '@store/protos/gateway/v1/ListStaffUsersResponse.ts';
import type { Gateway, GatewayCall } from '../gateway.ts';
import { type StaffUserRow, staffUserColumns, staffUserView } from './staff-user.view.ts';

/** The store's staff by name, disabled ones included. */
export async function listStaffUsers(
  app: Gateway,
  _request: ListStaffUsersRequest__Output,
  call: GatewayCall,
): Promise<ListStaffUsersResponse> {
  const rows = await app.db.read<StaffUserRow>(
    'list-staff-users',
    `select ${staffUserColumns} from gateway.staff_users where store_id = $1 order by name, staff_users.id`,
    [call.caller.storeId],
  );
  return { staff_users: rows.map(staffUserView) };
}
