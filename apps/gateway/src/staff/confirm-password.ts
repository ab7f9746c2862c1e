/** The password again, for what is worth it (reveal_secret): guesses are slowed down as those of a login are. */
import { missing, Problem } from '@store/problem';
import type { Gateway } from '../gateway.ts';
import type { SessionRecord } from './find-session.ts';
import { clearFailures, countFailure, refuseWhileBlocked } from './login-throttle.ts';

/** Throws unless `password` is that of the member of staff whose session it is. */
export async function confirmPassword(
  app: Pick<Gateway, 'db' | 'passwords' | 'log'>,
  session: SessionRecord,
  password: string | undefined,
  { ip, requestId }: { ip: string; requestId: string },
): Promise<void> {
  if (!password) throw missing('password');
  await app.passwords.inTurn(async () => {
    const [user] = await app.db.read<{ email: string; password_hash: string }>(
      'find-own-password',
      'select email, password_hash from gateway.staff_users where store_id = $1 and id = $2 and active',
      [session.storeId, session.userId],
    );
    const account = user?.email ?? '';
    await refuseWhileBlocked(app.db, account, ip);
    if (await app.passwords.matches(password, user?.password_hash)) return app.db.unit(0, (em) => clearFailures(em, account));
    await countFailure(app.db, account, ip);
    app.log.warn({ request_id: requestId, ip, user_id: session.userId }, 'A password that was asked for again was wrong');
    throw new Problem('forbidden', 'Password is incorrect');
  });
}
