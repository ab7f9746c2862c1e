import { lockRecord } from '@store/db';
import { notFound } from '@store/problem';
import { change, demandVersion, recordChange } from '@store/service';
import type { Gateway, GatewayCall, Verb } from '../gateway.ts';
import { tables } from '../tables.ts';
import { confirmPassword } from './confirm-password.ts';
import { hashNewPassword } from './new-password.ts';
import { acceptOwnPassword, StaffUser, type StaffUserRow, staffUserColumns, staffUserRow, staffUserView } from './staff-user.ts';
import { endSessions } from './update-staff-user.ts';

export const getOwnStaffUser: Verb<'GetOwnStaffUser'> = async (app, _request, call) => ({
  staff_user: staffUserView(await ownRow(app, call)),
});

async function ownRow({ db }: Gateway, { caller }: GatewayCall): Promise<StaffUserRow> {
  const users = tables.selectFrom('staff_users').select(staffUserColumns).where('store_id', '=', caller.storeId);
  const [user] = await db.read(users.where('id', '=', caller.actor.userId));
  if (!user) throw notFound('Staff user');
  return user;
}

/** PATCH /staff_users/me: a new password against the current one, which is throttled like a login. It ends the other sessions. */
export const updateOwnStaffUser: Verb<'UpdateOwnStaffUser'> = async (app, request, call) => {
  const { caller } = call;
  const session = call.session!;
  const accepted = acceptOwnPassword(request.staff_user);
  const ask = async () => {
    await confirmPassword(app, session, accepted.current, caller);
    const { name, email } = await ownRow(app, call);
    return hashNewPassword(app.passwords, accepted.password, [name, email]);
  };
  return change(
    app,
    call,
    async (em, passwordHash: string) => {
      const user = await lockRecord(em, StaffUser, session.userId);
      await demandVersion(call, () => ({ staff_user: staffUserView(staffUserRow(user)) }));
      Object.assign(user, { passwordHash, updatedAt: app.db.clock.now() });
      await em.flush();
      await endSessions(em, user, session.sessionId);
      await recordChange(em, app, call, StaffUser, user.id, { before: {}, after: { password_changed: true } });
      return { staff_user: staffUserView(staffUserRow(user)) };
    },
    { ask },
  );
};
