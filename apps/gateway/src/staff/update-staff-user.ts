import { LockMode } from '@mikro-orm/core';
import { applyChanges, type Difference, type EntityManager, flushRecord, sql } from '@store/db';
import { parseId } from '@store/input';
import { invalid, notFound } from '@store/problem';
import { change, recordChange } from '@store/service';
import type { Gateway, GatewayCall, Verb } from '../gateway.ts';
import { tables } from '../tables.ts';
import { refuseTakenEmail, withinEmailGuesses } from './create-staff-user.ts';
import { hashNewPassword } from './new-password.ts';
import { acceptStaffUser, StaffUser, staffUserRow, staffUserView } from './staff-user.ts';

/** Changes a user. A new role, password or e-mail, or disabling, ends the user's sessions at once, except the one that calls (D263). */
export const updateStaffUser: Verb<'UpdateStaffUser'> = async (app, request, call) => {
  const { password, ...accepted } = acceptStaffUser.update(request.staff_user);
  const id = parseId(request.id);
  const passwordHash = password === undefined ? undefined : await hashNewPassword(app.passwords, password, await aboutUser(app, call, id));
  const write = () =>
    change(app, call, async (em) => {
      const { user, otherAdmins } = await lockWithAdmins(em, id);
      const wasAdmin = isActiveAdmin(user);
      const now = app.db.clock.now();
      const changed = applyChanges(user, accepted, now);
      if (wasAdmin && otherAdmins === 0 && !isActiveAdmin(user)) {
        throw invalid(["The store's last active admin can't be demoted or disabled"]);
      }
      if (changed && 'email' in changed.after) await refuseTakenEmail(em, user.email, user.id);
      if (passwordHash !== undefined) Object.assign(user, { passwordHash, updatedAt: now });
      const difference = withPassword(changed, passwordHash !== undefined);
      if (difference) {
        // A link that was sent before is not for who the user is now.
        if (endsSessions(difference)) Object.assign(user, { inviteHash: null, inviteExpiresAt: null });
        await flushRecord(em, StaffUser);
        if (endsSessions(difference)) await endSessions(em, user, call.session?.sessionId);
        await recordChange(em, app, call, StaffUser, user.id, difference);
      }
      return { staff_user: staffUserView(staffUserRow(user)) };
    });
  return accepted.email === undefined ? write() : withinEmailGuesses(app, call, write);
};

/** What a password of this user must not rest on; nothing for a user of whom there is none. */
async function aboutUser({ db }: Gateway, { caller }: GatewayCall, id = 0): Promise<string[]> {
  const users = tables.selectFrom('staff_users').select(['name', 'email']).where('store_id', '=', caller.storeId);
  const [user] = await db.read(users.where('id', '=', id));
  return user ? [user.name, user.email] : [];
}

const isActiveAdmin = ({ role, active }: StaffUser) => role === 'admin' && active;

/** Locks the user and the store's active admins in id order, so that two admins cannot demote each other at once. */
async function lockWithAdmins(em: EntityManager, id: number | undefined): Promise<{ user: StaffUser; otherAdmins: number }> {
  if (id === undefined) throw notFound('Staff user');
  const where = { $or: [{ id }, { role: 'admin' as const, active: true }] };
  const users = await em.find(StaffUser, where, { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE });
  const user = users.find((one) => one.id === id);
  if (!user) throw notFound('Staff user');
  return { user, otherAdmins: users.length - 1 };
}

/** The audit trail records that the password changed, and no part of it. */
function withPassword(changed: Difference | undefined, passwordChanged: boolean): Difference | undefined {
  if (!passwordChanged) return changed;
  return { before: changed?.before ?? {}, after: { ...changed?.after, password_changed: true } };
}

const endsSessions = ({ after }: Difference) => ['password_changed', 'role', 'email', 'active'].some((name) => name in after);

export async function endSessions(em: EntityManager, { storeId, id }: Pick<StaffUser, 'storeId' | 'id'>, exceptId = 0): Promise<void> {
  const sessions = tables.deleteFrom('staff_sessions').where('store_id', '=', storeId).where('user_id', '=', id);
  await sql(em, sessions.where('id', '<>', exceptId));
}
