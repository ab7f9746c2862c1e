import { setTimeout as wait } from 'node:timers/promises';
import { othersCall } from '@store/shares/asker';

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

/**
 * Polls until nothing is left, for at most `withinMs` without a decrease: a busy machine may take long for all. Resolves to what is left
 * after that, normally 0.
 */
export async function untilNothingLeft(
  left: () => Promise<number>,
  withinMs: number,
  { everyMs = pollMs, signal }: { everyMs?: number; signal?: AbortSignal | undefined } = {},
): Promise<number> {
  let [least, progressAt] = [Number.POSITIVE_INFINITY, performance.now()];
  for (;;) {
    const now = await left();
    if (now < least) [least, progressAt] = [now, performance.now()];
    if (now <= 0 || performance.now() - progressAt > withinMs) return now;
    await wait(everyMs, undefined, { signal });
  }
}

/** Resolves once no other store than this calls: what is counted of its long work is not cut for others. */
export async function untilAlone(storeId: number): Promise<void> {
  while (othersCall(storeId)) await wait(pollMs);
}
