/** POST /staff_sessions: login. */
import type { CreateStaffSessionRequest__Output } from '@store/contract/gen/store/gateway/v1/CreateStaffSessionRequest.ts';
import type { StaffSessionResponse } from '@store/contract/gen/store/gateway/v1/StaffSessionResponse.ts';
import { sql } from '@store/db';
import { missing, Problem } from '@store/problem';
import { Reply } from '@store/rpc';
import type { Gateway, GatewayCall } from '../gateway.ts';
import { absoluteMs, idleMs } from './find-session.ts';
import { clearFailures, countFailure, refuseWhileBlocked } from './login-throttle.ts';
import { hashToken, newToken, setCookie } from './session-text.ts';
import { type StaffUserRow, staffUserColumns, staffUserView } from './staff-user.view.ts';

type UserRow = StaffUserRow & { store_id: string; password_hash: string };

const accountMax = 254;

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
  const account = email.trim().toLowerCase().replaceAll('\0', '').slice(0, accountMax);
  const { ip, requestId } = call.caller;
  // Whoever is blocked takes no place in the queue from those who are not.
  await refuseWhileBlocked(app.db, account, ip);
  return app.passwords.inTurn(async () => {
    // Looked at again in turn, as what waited in the queue must not pass on what was true before it.
    await refuseWhileBlocked(app.db, account, ip);
    const [user] = await app.db.read<UserRow>(
      'find-staff-user',
      `select ${staffUserColumns}, store_id::text, password_hash from gateway.staff_users where email = $1`,
      [account],
    );
    const right = (await app.passwords.matches(password, user?.password_hash)) && user?.active === true;
    if (!right) {
      await countFailure(app.db, account, ip);
      app.log.warn({ request_id: requestId, ip, user_id: user ? Number(user.id) : null }, 'A login failed');
      throw new Problem('unauthenticated', 'Invalid email or password');
    }
    const session = await begin(app, user!, account);
    app.log.info({ request_id: requestId, ip, user_id: Number(user!.id) }, 'A member of staff logged in');
    return new Reply(session, { headers: { 'Set-Cookie': setCookie(session.token!), 'Cache-Control': 'no-store' } });
  });
}

async function begin(app: Gateway, user: UserRow, account: string): Promise<StaffSessionResponse> {
  const [token, csrfToken] = [newToken(), newToken()];
  const now = app.db.clock.now();
  const expiresAt = new Date(now.getTime() + absoluteMs);
  await app.db.unit(0, async (em) => {
    await clearFailures(em, account);
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
    if (begun.length === 0) throw new Problem('unauthenticated', 'Invalid email or password');
  });
  return { token, expires_at: expiresAt.toISOString(), user: staffUserView(user), csrf_token: csrfToken };
}
