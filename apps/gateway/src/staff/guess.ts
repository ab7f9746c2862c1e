/** One password attempt, at a login or elsewhere: counted, then checked in turn. */
import { inBackground } from '@store/shares/asker';
import type { Gateway } from '../gateway.ts';
import { type CountedGuess, countGuess, type Guesser, takeBackGuess } from './login-throttle.ts';

/** `look` hashes when it is its turn, which is that of the store `identify` finds; an attempt that could not be checked does not count. */
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
