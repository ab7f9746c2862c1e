/** One guess at a password, wherever it is asked for: counted, then looked at in turn. */
import type { Gateway } from '../gateway.ts';
import { type CountedGuess, countGuess, type Guesser, takeBackGuess } from './login-throttle.ts';

/** `look` runs when it is this guess's turn to be hashed; a guess that could not be looked at does not count. */
export async function guess<T>(
  app: Pick<Gateway, 'db' | 'passwords'>,
  guesser: Guesser,
  look: () => Promise<T>,
): Promise<{ counted: CountedGuess; found: T }> {
  const counted = await countGuess(app.db, guesser);
  try {
    return { counted, found: await app.passwords.inTurn(look) };
  } catch (error) {
    await takeBackGuess(app.db, counted);
    throw error;
  }
}
