/** POST /staff_users, Admin only. */
import { type EntityManager, flushRecord, newRecord, rows } from '@store/db';
import { invalid } from '@store/problem';
import type { Call } from '@store/rpc';
import { change, type KeepsRecords, recordChange } from '@store/service';
import type { Verb } from '../gateway.ts';
import { tables } from '../tables.ts';
import { hashNewPassword } from './new-password.ts';
import { acceptStaffUser, StaffUser, staffUserFacts, staffUserRow, staffUserView } from './staff-user.ts';

/** Creates a staff user of the caller's store; an e-mail address belongs to one person across all stores. */
export const createStaffUser: Verb<'CreateStaffUser'> = async (app, request, call) => {
  const { password, ...accepted } = acceptStaffUser.create(request.staff_user);
  const passwordHash = await hashNewPassword(app.passwords, password, [accepted.name, accepted.email]);
  return change(app, call, async (em) => {
    const user = await insertStaffUser(em, app, call, { ...accepted, passwordHash });
    return { staff_user: staffUserView(staffUserRow(user)) };
  });
};

type NewStaffUser = Omit<ReturnType<typeof acceptStaffUser.create>, 'password'> & { passwordHash: string };

/** Inserts a user of the unit's store; a taken address is a 422, in a race a 409 (D27). */
export async function insertStaffUser(
  em: EntityManager,
  app: KeepsRecords,
  call: Pick<Call, 'caller'>,
  values: NewStaffUser,
): Promise<StaffUser> {
  await refuseTakenEmail(em, values.email);
  const user = newRecord(em, StaffUser, values, app.db.clock.now());
  em.persist(user);
  await flushRecord(em, StaffUser);
  await recordChange(em, app, call, StaffUser, user.id, { before: null, after: staffUserFacts(user) });
  return user;
}

/** Searches all stores. */
export async function refuseTakenEmail(em: EntityManager, email: string, ownId = 0): Promise<void> {
  const taken = await rows(em, tables.selectFrom('staff_users').select('id').where('email', '=', email).where('id', '<>', ownId));
  if (taken.length > 0) throw invalid(['Email has already been taken']);
}
