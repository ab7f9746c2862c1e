import { Problem, texts } from '@store/problem';
import { confirmPassword } from '../staff/confirm-password.ts';
import { isConfirmed } from '../staff/find-session.ts';
import type { Exchange, Pipeline } from './exchange.ts';

/** Endpoints that require it get the caller's own password; only staff have one. The password is not forwarded. */
export async function checkPasswordAgain({ match, session, message, ip, requestId }: Exchange, { app }: Pipeline): Promise<void> {
  if (!match!.endpoint.access.passwordAgain) return;
  if (!session) throw new Problem('forbidden', texts.internal);
  const { fields } = message!;
  await confirmPassword(app, session, fields.password as string | undefined, { ip, requestId });
  delete fields.password;
}

/** A stolen session alone does not change who may do what (D261). */
export function checkPasswordLately({ match, session }: Exchange, { app }: Pipeline): void {
  if (match!.endpoint.access.passwordLately && !isConfirmed(app, session)) throw new Problem('forbidden', texts.passwordLately);
}
