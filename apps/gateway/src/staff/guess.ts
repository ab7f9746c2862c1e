/** One password attempt, at a login or elsewhere: counted, then checked in turn. */
import { inBackground } from '@store/shares/asker';
import type { Gateway } from '../gateway.ts';
import { type CountedGuess, countGuess, type Guesser, takeBackGuess } from './login-throttle.ts';

/**
 * `look` runs when it is this attempt's turn to be hashed; an attempt that could not be checked does not count. `identify` says before
 * whose turn that is.
 */
export async function guess<T>(
  app: Pick<Gateway, 'db' | 'passwords'>,
  guesser: Guesser,
  look: () => Promise<T>,
  identify?: () => Promise<void>,
): Promise<{ counted: CountedGuess; found: T }> {
  const counted = await countGuess(app.db, guesser);
  try {
    await identify?.();
    return { counted, found: await app.passwords.inTurn(look) };
  } catch (error) {
    await inBackground(() => takeBackGuess(app.db, counted));
    throw error;
  }
}
