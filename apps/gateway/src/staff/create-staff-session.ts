/** POST /staff_sessions: login. */

import { sql } from '@store/db';
import { missing, Problem } from '@store/problem';
import type { CreateStaffSessionRequest__Output } from '@store/protos/gateway/v1/CreateStaffSessionRequest.ts';
import type { StaffSessionResponse } from '@store/protos/gateway/v1/StaffSessionResponse.ts';
import { Reply } from '@store/rpc';
import type { Gateway, GatewayCall } from '../gateway.ts';
import { type Device, deviceOf, newDevice, setDeviceCookie } from './device.ts';
import { absoluteMs, idleMs } from './find-session.ts';
import { guess } from './guess.ts';
import { type CountedGuess, clearGuesses } from './login-throttle.ts';
import { isTooLong } from './passwords.ts';
import { hashToken, newToken, setCookie } from './session-text.ts';
import { type StaffUserRow, staffUserColumns, staffUserView } from './staff-user.view.ts';

type UserRow = StaffUserRow & { store_id: string; password_hash: string };

const accountMax = 254;

const refused = () => new Problem('unauthenticated', 'Invalid email or password');

/**
 * Logs in with e-mail and password. A wrong password, an unknown address and a disabled user are one
 * answer that takes one time. The new session has a token of its own: nothing from before survives.
 */
export async function createStaffSession(
  app: Gateway,
  request: CreateStaffSessionRequest__Output,
  call: GatewayCall,
): Promise<Reply<StaffSessionResponse>> {
  const { email, password } = request;
  if (!email?.trim()) throw missing('email');
  if (!password) throw missing('password');
  // Whoever sent it knows how long it is, so that it is answered sooner tells nothing.
  if (isTooLong(password)) throw refused();
  const account = email.trim().toLowerCase().replaceAll('\0', '').slice(0, accountMax);
  const { ip, requestId } = call.caller;
  const device = deviceOf(app.config.keyRing, account, call.cookies);
  const guesser = { account, ip, known: device && `device:${device.id}` };
  const { counted, found: user } = await guess(app, guesser, () => userWith(app, account, password));
  if (!user?.right) {
    app.log.warn({ request_id: requestId, ip, user_id: user ? Number(user.id) : null }, 'A login failed');
    throw refused();
  }
  const session = await begin(app, user, counted);
  app.log.info({ request_id: requestId, ip, user_id: Number(user.id) }, 'A member of staff logged in');
  return reply(session, device ?? newDevice(app.config.keyRing, account));
}

/** The user of that address, and whether the password is theirs. */
async function userWith(app: Gateway, account: string, password: string): Promise<(UserRow & { right: boolean }) | undefined> {
  const [user] = await app.db.read<UserRow>(
    'find-staff-user',
    `select ${staffUserColumns}, store_id::text, password_hash from gateway.staff_users where email = $1`,
    [account],
  );
  const right = await app.passwords.matches(password, user?.password_hash);
  return user && { ...user, right: right && user.active };
}

function reply(session: StaffSessionResponse, device: Device): Reply<StaffSessionResponse> {
  return new Reply(session, { cookies: [setCookie(session.token!), setDeviceCookie(device)] });
}

async function begin(app: Gateway, user: UserRow, counted: CountedGuess): Promise<StaffSessionResponse> {
  const [token, csrfToken] = [newToken(), newToken()];
  const now = app.db.clock.now();
  const expiresAt = new Date(now.getTime() + absoluteMs);
  await app.db.unit(0, async (em) => {
    await clearGuesses(em, counted);
    await sql(em, 'delete from gateway.staff_sessions where user_id = $1 and (expires_at <= $2 or last_seen_at <= $3)', [
      user.id,
      now,
      new Date(now.getTime() - idleMs),
    ]);
    // Under a lock on the user: a password change that commits meanwhile leaves no session behind.
    const begun = await sql(
      em,
      `insert into gateway.staff_sessions (user_id, token_hash, csrf_hash, created_at, last_seen_at, expires_at)
       select id, $2, $3, $4, $4, $5 from gateway.staff_users
       where store_id = $7 and id = $1 and active and password_hash = $6 for share returning id`,
      [user.id, hashToken(token), hashToken(csrfToken), now, expiresAt, user.password_hash, user.store_id],
    );
    if (begun.length === 0) throw refused();
  });
  return { token, expires_at: expiresAt.toISOString(), user: staffUserView(user), csrf_token: csrfToken };
}
