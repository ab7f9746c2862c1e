/** New passwords: what is easy to guess is refused (D264). */
import { invalid } from '@store/problem';
import { OwnThread } from './own-thread.ts';
import type { Passwords } from './passwords.ts';
import type { ToScore } from './score-password.ts';

/** Of zxcvbn's 0 to 4: safely unguessable, 10^8 guesses at least. */
const scoreMin = 3;
/** Scoring takes time by the square of the length; further characters can only make a password stronger. */
const judgedMax = 100;
/** Heap of the scoring thread: the dictionaries take 30 MB of it. */
export const judgeHeapMb = 64;

const judge = new OwnThread<ToScore, number>(new URL('./score-password.ts', import.meta.url), {
  resourceLimits: { maxOldGenerationSizeMb: judgeHeapMb },
});

/** The hash of a new password, or the 422; `about` are texts that its owner's password must not rest on, such as the name. */
export async function hashNewPassword(passwords: Passwords, password: string, about: string[]): Promise<string> {
  const words = about.flatMap((text) => [text, ...text.split(/[\s@.]+/)]).filter((text) => text !== '');
  const score = await passwords.inTurn(() => judge.ask({ password: password.slice(0, judgedMax), about: words }));
  if (score < scoreMin) throw invalid(['Password is too easy to guess']);
  return passwords.hash(password);
}
