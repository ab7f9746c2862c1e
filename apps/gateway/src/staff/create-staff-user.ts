import { type EntityManager, insertRecord, sql } from '@store/db';
import { booleanField, parseFields, refuseErrors } from '@store/input';
import { invalid, Problem } from '@store/problem';
import type { CreateStaffUserRequest__Output, CreateStaffUserResponse } from '@store/protos/gateway/v1.ts';
import type { Call } from '@store/rpc';
import { type KeepsRecords, recordChange } from '@store/service';
import type { Gateway, Verb } from '../gateway.ts';
import { changeSealed } from '../sealed.ts';
import { tables } from '../tables.ts';
import { makeInvite } from './invite-staff-user.ts';
import { countGuess, takeBackGuess } from './login-throttle.ts';
import { hashNewPassword } from './new-password.ts';
import { acceptStaffUser, StaffUser, staffUserFacts, staffUserRow, staffUserView } from './staff-user.ts';

/** Creates a staff user of the caller's store; an e-mail address belongs to one person across all stores. */
export const createStaffUser: Verb<'CreateStaffUser'> = async (app, request, call) => {
  const invited = acceptInvited(request);
  const { password, ...accepted } = acceptStaffUser.create(request.staff_user, { invited });
  const { name, email } = accepted;
  const passwordHash = password === undefined ? null : await hashNewPassword(app.passwords, password, [name, email]);
  const create = async (em: EntityManager) => {
    const user = await insertStaffUser(em, app, call, { ...accepted, passwordHash });
    const invite = invited ? await makeInvite(em, app, call, user) : undefined;
    return { staff_user: staffUserView(staffUserRow(user)), invite };
  };
  return withinEmailGuesses(app, call, () => changeSealed<CreateStaffUserResponse>(app, call, create));
};

/** `invite` beside the user: true asks for a link in the place of a password. */
function acceptInvited(request: CreateStaffUserRequest__Output): boolean {
  const { values, errors } = parseFields({ invite: booleanField() }, request);
  refuseErrors(errors);
  return values.invite === true;
}

type NewStaffUser = Omit<ReturnType<typeof acceptStaffUser.create>, 'password'> & { passwordHash: string | null };

/** Inserts a user of the unit's store; a taken address is a 422, in a race a 409 (D27). */
export async function insertStaffUser(
  em: EntityManager,
  app: KeepsRecords,
  call: Pick<Call, 'caller'>,
  values: NewStaffUser,
): Promise<StaffUser> {
  await refuseTakenEmail(em, values.email);
  const user = await insertRecord(em, StaffUser, values, app.db.clock.now());
  await recordChange(em, app, call, StaffUser, user.id, { before: null, after: staffUserFacts(user) });
  return user;
}

/** That an address is taken reveals staff of another store: after five such refusals a store waits, longer each time. */
export async function withinEmailGuesses<T>(
  { db }: Pick<Gateway, 'db'>,
  { caller }: Pick<Call, 'caller'>,
  work: () => Promise<T>,
): Promise<T> {
  const counted = await countGuess(db, { account: 'staff e-mails', ip: '', known: `store:${caller.storeId}` });
  try {
    const done = await work();
    await takeBackGuess(db, counted);
    return done;
  } catch (error) {
    if (!(error instanceof Problem && refusedEmails.has(error))) await takeBackGuess(db, counted);
    throw error;
  }
}

const refusedEmails = new WeakSet<Problem>();

export async function refuseTakenEmail(em: EntityManager, email: string, ownId = 0): Promise<void> {
  const taken = await sql(em, tables.selectFrom('staff_users').select('id').where('email', '=', email).where('id', '<>', ownId));
  if (taken.length === 0) return;
  const refusal = invalid(['Email has already been taken']);
  refusedEmails.add(refusal);
  throw refusal;
}
