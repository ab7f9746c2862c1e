import { Problem, texts } from '@store/problem';
import { confirmPassword } from '../staff/confirm-password.ts';
import type { Exchange, Pipeline } from './exchange.ts';

/** Where the endpoint asks for it, the password must be the caller's own; only staff have one. It goes no further than here. */
export async function checkPasswordAgain({ match, session, message, ip, requestId }: Exchange, { app }: Pipeline): Promise<void> {
  if (!match!.endpoint.access.passwordAgain) return;
  if (!session) throw new Problem('forbidden', texts.internal);
  const { fields } = message!;
  await confirmPassword(app, session, fields.password as string | undefined, { ip, requestId });
  delete fields.password;
}
