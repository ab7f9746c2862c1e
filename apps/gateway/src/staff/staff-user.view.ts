/** A staff user's row as the message that admins see; never the password's hash. */

import { isoTime } from '@store/db';
import type { StaffUser } from '@store/protos/gateway/v1/StaffUser.ts';

export interface StaffUserRow {
  id: string;
  name: string;
  email: string;
  role: string;
  financial_data: boolean;
  active: boolean;
  created_at: string;
}

export const staffUserColumns = 'id::text, name, email, role, financial_data, active, created_at::text';

export function staffUserView(row: StaffUserRow) {
  return {
    id: Number(row.id),
    name: row.name,
    email: row.email,
    role: row.role,
    financial_data: row.financial_data,
    active: row.active,
    created_at: isoTime(row.created_at),
  } satisfies StaffUser;
}

/** What the audit trail keeps of a user. */
export function staffUserFacts(row: StaffUserRow): Record<string, unknown> {
  const { name, email, role, financial_data, active } = row;
  return { name, email, role, financial_data, active };
}
