/** Links with which staff choose their own password, once (D264). */
import { type EntityManager, lockRecord } from '@store/db';
import { parseId } from '@store/input';
import { invalid, missing, notFound } from '@store/problem';
import type { InviteStaffUserResponse, StaffInvite } from '@store/protos/gateway/v1.ts';
import { type Caller, systemCaller } from '@store/rpc';
import { recordChange } from '@store/service';
import type { Gateway, GatewayCall, Verb } from '../gateway.ts';
import { changeSealed } from '../sealed.ts';
import { tables } from '../tables.ts';
import { hashNewPassword } from './new-password.ts';
import { hashToken, newToken } from './session-text.ts';
import { acceptPassword, StaffUser, staffUserRow, staffUserView } from './staff-user.ts';
import { endSessions } from './update-staff-user.ts';

const inviteMs = 72 * 3_600_000;
/** The user's id, which finds the row, and a token as that of a session. */
const inviteText = /^(\d{1,15})-(.+)$/;

const unknownInvite = () => notFound('Invite');

/** POST /staff_users/:id/invite, Admin only. An earlier link is void; a password that there is stays until the new one is chosen. */
export const inviteStaffUser: Verb<'InviteStaffUser'> = (app, request, call) =>
  changeSealed<InviteStaffUserResponse>(app, call, async (em) => {
    const user = await lockRecord(em, StaffUser, parseId(request.id));
    if (!user.active) throw invalid(["An inactive user can't be invited"]);
    return { invite: await makeInvite(em, app, call, user) };
  });

export async function makeInvite(em: EntityManager, app: Gateway, call: GatewayCall, user: StaffUser): Promise<StaffInvite> {
  const now = app.db.clock.now();
  const token = newToken();
  const inviteExpiresAt = new Date(now.getTime() + inviteMs);
  Object.assign(user, { inviteHash: hashToken(token), inviteExpiresAt, updatedAt: now });
  await em.flush();
  const expires_at = inviteExpiresAt.toISOString();
  await recordChange(em, app, call, StaffUser, user.id, { before: {}, after: { invited_until: expires_at } });
  return { token: `${user.id}-${token}`, expires_at };
}

/** POST /staff_users/accept_invite: chooses the password and uses the link up. Unknown, used and expired links are one 404. */
export const acceptStaffInvite: Verb<'AcceptStaffInvite'> = async (app, request, call) => {
  if (!request.token) throw missing('token');
  const password = acceptPassword(request);
  const [, id, token = ''] = inviteText.exec(request.token) ?? [];
  const hash = hashToken(token);
  if (!hash) throw unknownInvite();
  const invited = tables
    .selectFrom('staff_users')
    .select(['id', 'store_id', 'name', 'email', 'role'])
    .where('id', '=', Number(id))
    .where('invite_hash', '=', hash)
    .where('invite_expires_at', '>', app.db.clock.now())
    .where('active', '=', true);
  const [found] = await app.db.read(invited);
  if (!found) throw unknownInvite();
  const passwordHash = await hashNewPassword(app.passwords, password, [found.name, found.email]);
  return app.db.unit(found.store_id, async (em) => {
    const user = await lockRecord(em, StaffUser, found.id);
    // Another request may have used it meanwhile, or an admin have changed the user.
    if (!user.inviteHash || !hash.equals(user.inviteHash)) throw unknownInvite();
    Object.assign(user, { passwordHash, inviteHash: null, inviteExpiresAt: null, updatedAt: app.db.clock.now() });
    await em.flush();
    await endSessions(em, user);
    const after = { password_changed: true, invite_accepted: true };
    await recordChange(em, app, { caller: callerOf(user, call) }, StaffUser, user.id, { before: {}, after });
    return { staff_user: staffUserView(staffUserRow(user)) };
  });
};

/** The link acts for its user, as a session would. */
function callerOf({ id, name, role, storeId }: StaffUser, { caller: { requestId, ip } }: GatewayCall): Caller {
  const nobody = systemCaller(Number(storeId));
  return { ...nobody, requestId, ip, actor: { ...nobody.actor, type: 'user', userId: id, userName: name, role } };
}
