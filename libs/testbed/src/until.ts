import { setTimeout as wait } from 'node:timers/promises';

const pollMs = 20;
const withinDefaultMs = 60_000;

/** Polls until `holds` does. `withinMs`: a bound of the promise under test, if that has one; `why`: what is thrown after it. */
export async function until(
  holds: () => Promise<boolean> | boolean,
  withinMs = withinDefaultMs,
  why = () => `not true within ${withinMs} ms`,
): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(why());
    await wait(pollMs);
  }
}
