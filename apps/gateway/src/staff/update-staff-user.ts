/** PATCH /staff_users/:id, Admin only. */

import { type EntityManager, sql, sqlOne } from '@store/db';
import { emit } from '@store/events';
import { parseId } from '@store/input';
import { invalid, notFound } from '@store/problem';
import type { StaffUserResponse } from '@store/protos/gateway/v1/StaffUserResponse.ts';
import type { UpdateStaffUserRequest__Output } from '@store/protos/gateway/v1/UpdateStaffUserRequest.ts';
import type { Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Gateway, GatewayCall } from '../gateway.ts';
import { emailRace, refuseTakenEmail } from './create-staff-user.ts';
import { staffUserInput } from './staff-user.input.ts';
import { type StaffUserRow, staffUserColumns, staffUserFacts, staffUserView } from './staff-user.view.ts';

type Accepted = ReturnType<typeof staffUserInput>;

/** Changes a user. Another role, a new password or being disabled ends the user's sessions at once. */
export async function updateStaffUser(
  app: Gateway,
  request: UpdateStaffUserRequest__Output,
  call: GatewayCall,
): Promise<StaffUserResponse | Reply<StaffUserResponse>> {
  const { storeId } = call.caller;
  const accepted = staffUserInput(request.staff_user, false);
  const id = parseId(request.id);
  const passwordHash = accepted.password === undefined || id === undefined ? undefined : await app.passwords.hash(accepted.password);
  return change<StaffUserResponse>({ db: app.db, call, response: 'store.gateway.v1.StaffUserResponse' }, async (em) => {
    const before = id === undefined ? undefined : await lockWithAdmins(em, storeId, id);
    if (!before) throw notFound('Staff user');
    const after = await write(em, { storeId, now: app.db.clock.now() }, before, accepted, passwordHash);
    const sessionsEnd = passwordHash !== undefined || after.role !== before.role || after.active !== before.active;
    if (sessionsEnd) await sql(em, 'delete from gateway.staff_sessions where user_id = $1', [before.id]);
    await tell(em, app, call, { before, after, passwordChanged: passwordHash !== undefined });
    return { staff_user: staffUserView(after) };
  });
}

/** Locks the store's active admins before the user, so that two cannot demote each other at once. */
async function lockWithAdmins(
  em: EntityManager,
  storeId: number,
  id: number,
): Promise<(StaffUserRow & { otherAdmins: number }) | undefined> {
  const rows = await sql<StaffUserRow>(
    em,
    `select ${staffUserColumns} from gateway.staff_users
     where store_id = $1 and (id = $2 or (role = 'admin' and active)) order by staff_users.id for update`,
    [storeId, id],
  );
  const user = rows.find((row) => Number(row.id) === id);
  return user && { ...user, otherAdmins: rows.filter((row) => row !== user).length };
}

async function write(
  em: EntityManager,
  { storeId, now }: { storeId: number; now: Date },
  before: StaffUserRow & { otherAdmins: number },
  accepted: Accepted,
  passwordHash: string | undefined,
): Promise<StaffUserRow> {
  const { name = before.name, email = before.email, role = before.role } = accepted;
  const { financial_data = before.financial_data, active = before.active } = accepted;
  const wasAdmin = before.role === 'admin' && before.active;
  if (wasAdmin && before.otherAdmins === 0 && !(role === 'admin' && active)) {
    throw invalid(["The store's last active admin can't be demoted or disabled"]);
  }
  if (email !== before.email) await refuseTakenEmail(em, email, Number(before.id));
  try {
    return await sqlOne<StaffUserRow>(
      em,
      `update gateway.staff_users set name = $2, email = $3, role = $4, financial_data = $5, active = $6,
         password_hash = coalesce($7, password_hash), updated_at = $8
       where id = $1 and store_id = $9 returning ${staffUserColumns}`,
      [before.id, name, email, role, financial_data, active, passwordHash ?? null, now, storeId],
    );
  } catch (error) {
    throw emailRace(error);
  }
}

async function tell(
  em: EntityManager,
  app: Gateway,
  call: GatewayCall,
  { before, after, passwordChanged }: { before: StaffUserRow; after: StaffUserRow; passwordChanged: boolean },
): Promise<void> {
  const [old, now] = [staffUserFacts(before), staffUserFacts(after)];
  const changed = Object.keys(now).filter((name) => now[name] !== old[name]);
  if (changed.length === 0 && !passwordChanged) return;
  const pick = (facts: Record<string, unknown>) => Object.fromEntries(changed.map((name) => [name, facts[name]]));
  await emit(em, app.outbox, call.caller, [
    {
      name: 'staff_user.updated',
      aggregate: `staff_user:${after.id}`,
      audit: {
        action: 'staff_user.update',
        resource_type: 'StaffUser',
        resource_id: Number(after.id),
        before: pick(old),
        after: { ...pick(now), ...(passwordChanged && { password_changed: true }) },
      },
    },
  ]);
}
