/** Asks for the password again before sensitive actions (reveal_secret), throttled like a login. */
import { missing, Problem } from '@store/problem';
import type { Gateway, Verb } from '../gateway.ts';
import { tables } from '../tables.ts';
import type { SessionRecord } from './find-session.ts';
import { clearGuesses, guess } from './login-throttle.ts';
import { isTooLong } from './passwords.ts';

const refused = () => new Problem('forbidden', 'Password is incorrect');

/** Throws unless `password` is the password of the session's user; attempts are counted per session. */
export async function confirmPassword(
  app: Pick<Gateway, 'db' | 'passwords' | 'log'>,
  session: SessionRecord,
  password: string | undefined,
  { ip, requestId }: { ip: string; requestId: string },
): Promise<void> {
  if (!password) throw missing('password');
  if (isTooLong(password)) throw refused();
  const guesser = { account: `user:${session.userId}`, ip, known: `session:${session.sessionId}` };
  const { counted, found: isOwn } = await guess(app, guesser, () => isPasswordOf(app, session, password));
  if (isOwn) {
    await app.db.unit(0, (em) => clearGuesses(em, counted));
    return;
  }
  app.log.warn({ request_id: requestId, ip, user_id: session.userId }, 'A password that was asked for again was wrong');
  throw refused();
}

async function isPasswordOf(
  app: Pick<Gateway, 'db' | 'passwords'>,
  { storeId, userId }: SessionRecord,
  password: string,
): Promise<boolean> {
  const users = tables.selectFrom('staff_users').select('password_hash').where('store_id', '=', storeId);
  const [user] = await app.db.read(users.where('id', '=', userId).where('active', '=', true));
  return app.passwords.matches(password, user?.password_hash ?? undefined);
}

/** POST /staff_sessions/confirm: the pipeline has checked the password (D261). No Idempotency-Key: repeating it is harmless. */
export const confirmStaffSession: Verb<'ConfirmStaffSession'> = async (app, _request, { caller, session }) => {
  const confirmed = tables.updateTable('staff_sessions').set({ confirmed_at: app.db.clock.now() }).where('store_id', '=', caller.storeId);
  await app.db.read(confirmed.where('id', '=', session!.sessionId).where('user_id', '=', caller.actor.userId));
  return { success: true, message: 'Password confirmed' };
};
