import { LockMode } from '@mikro-orm/core';
import { type EntityManager, type Row, sql } from '@store/db';
import { missing, Problem } from '@store/problem';
import type { CreateStaffSessionRequest__Output, StaffSessionResponse } from '@store/protos/gateway/v1.ts';
import { Reply } from '@store/rpc';
import { askForStore } from '@store/shares/asker';
import type { Gateway, GatewayCall } from '../gateway.ts';
import { tables } from '../tables.ts';
import { type Device, deviceOf, newDevice, setDeviceCookie } from './device.ts';
import { absoluteMs, idleMs } from './find-session.ts';
import { type CountedGuess, clearGuesses, guess, takeBackGuess } from './login-throttle.ts';
import { isTooLong } from './passwords.ts';
import { recordLogin, recordRefusedLogin } from './record-login.ts';
import { codeRefused, codeRequired, type FactorRow, factorColumns, type Proof, proofOf, useUp } from './second-factor.ts';
import { hashToken, newToken, setCookie } from './session-text.ts';
import { StaffSession } from './staff-session.ts';
import { StaffUser, type StaffUserRow, staffUserColumns, staffUserView } from './staff-user.ts';

type UserRow = StaffUserRow & FactorRow & Pick<Row<typeof StaffUser>, 'password_hash'>;

type Judged = UserRow & { right: boolean; proof?: Proof };

const accountMax = 254;
const userAgentMax = 255;
const otpMax = 50;

const refused = () => new Problem('unauthenticated', 'Invalid email or password');

/** A wrong password, an unknown address and a disabled user get the same answer in the same time. */
export async function createStaffSession(
  app: Gateway,
  request: CreateStaffSessionRequest__Output,
  call: GatewayCall,
): Promise<Reply<StaffSessionResponse>> {
  const { email, password, otp = '' } = request;
  if (!email?.trim()) throw missing('email');
  if (!password) throw missing('password');
  // The sender knows the length of the password, so the faster answer reveals nothing.
  if (isTooLong(password)) throw refused();
  const account = email.trim().toLowerCase().replaceAll('\0', '').slice(0, accountMax);
  const { ip, requestId } = call.caller;
  const device = deviceOf(app.config.keyRing, account, call.cookies);
  const guesser = { account, ip, known: device && `device:${device.id}` };
  const { counted, found: user } = await guess(
    app,
    guesser,
    () => userWith(app, account, password, otp),
    () => askForStoreOf(app, account),
  );
  if (!user?.right) {
    app.log.warn({ request_id: requestId, ip, user_id: user?.id ?? null }, 'A login failed');
    if (user) recordRefusedLogin(app, call, user);
    throw refused();
  }
  if (user.second_factor_at && !user.proof) {
    app.log.warn({ request_id: requestId, ip, user_id: user.id }, 'A login lacked its one-time code');
    if (otp !== '') {
      recordRefusedLogin(app, call, user);
      throw codeRefused();
    }
    // The password was right: asking for the code is no failure. The count stays, so it ends no wait either.
    await takeBackGuess(app.db, counted);
    throw codeRequired();
  }
  const session = await begin(app, user, counted, call);
  app.log.info({ request_id: requestId, ip, user_id: user.id }, 'A member of staff logged in');
  return reply(session, device ?? newDevice(app.config.keyRing, account));
}

/** Logins of a store wait behind each other, and those for unknown addresses too. */
async function askForStoreOf(app: Gateway, account: string): Promise<void> {
  const [user] = await app.db.read(tables.selectFrom('staff_users').select('store_id').where('email', '=', account));
  if (user) askForStore(user.store_id);
}

async function userWith(app: Gateway, account: string, password: string, otp: string): Promise<Judged | undefined> {
  const users = tables.selectFrom('staff_users').select([...staffUserColumns, ...factorColumns, 'store_id', 'password_hash']);
  const [user] = await app.db.read(users.where('email', '=', account));
  const right = await app.passwords.matches(password, user?.password_hash ?? undefined);
  if (!user || !right || !user.active) return user && { ...user, right: false };
  const proof =
    user.second_factor_at && otp !== '' ? proofOf(app.config.keyRing, user, otp.slice(0, otpMax), app.db.clock.now()) : undefined;
  return { ...user, right, proof };
}

function reply(session: StaffSessionResponse, device: Device): Reply<StaffSessionResponse> {
  return new Reply(session, { cookies: [setCookie(session.token!), setDeviceCookie(device)] });
}

async function begin(app: Gateway, user: Judged, counted: CountedGuess, call: GatewayCall): Promise<StaffSessionResponse> {
  const [token, csrfToken] = [newToken(), newToken()];
  const now = app.db.clock.now();
  const expiresAt = new Date(now.getTime() + absoluteMs);
  await app.db.unit(user.store_id, async (em) => {
    if (user.proof && (await sql(em, useUp(user, user.proof))).length === 0) throw codeRefused();
    await clearGuesses(em, counted);
    await deleteExpired(em, user, now);
    // Under a lock on the user: a concurrent password change leaves no session behind.
    const lockMode = LockMode.PESSIMISTIC_READ;
    const current = await em.findOne(StaffUser, { id: user.id, active: true, passwordHash: user.password_hash }, { lockMode });
    if (!current) throw refused();
    const hashes = { tokenHash: hashToken(token)!, csrfHash: hashToken(csrfToken)! };
    const from = { ip: call.caller.ip, userAgent: (call.userAgent ?? '').slice(0, userAgentMax) };
    em.persist(
      em.create(StaffSession, {
        ...{ storeId: user.store_id, userId: user.id, ...hashes, ...from },
        ...{ createdAt: now, confirmedAt: now, lastSeenAt: now, expiresAt },
      }),
    );
    await em.flush();
    await recordLogin(em, app, call, user, 'login');
  });
  return { token, expires_at: expiresAt.toISOString(), user: staffUserView(user), csrf_token: csrfToken };
}

async function deleteExpired(em: EntityManager, { store_id, id }: Pick<UserRow, 'store_id' | 'id'>, now: Date): Promise<void> {
  const idleSince = new Date(now.getTime() - idleMs);
  const isOver = tables.deleteFrom('staff_sessions').where('store_id', '=', store_id).where('user_id', '=', id);
  await sql(
    em,
    isOver.where((session) => session.or([session('expires_at', '<=', now), session('last_seen_at', '<=', idleSince)])),
  );
}
