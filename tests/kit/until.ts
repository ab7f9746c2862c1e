import { setTimeout as wait } from 'node:timers/promises';
import { until } from '@store/testbed/until';

export { until };

const pollMs = 20;

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

/**
 * Polls until `holds` does; returns when the last look that found it otherwise began (performance.now()), -Infinity when none did. Until
 * then it did not hold; how long a look takes, and so when the next one began, says nothing of what is looked at.
 */
export async function lastFailure(holds: () => Promise<boolean>, withinMs: number): Promise<number> {
  let failedAtMs = Number.NEGATIVE_INFINITY;
  await until(async () => {
    const beganAtMs = performance.now();
    const does = await holds();
    if (!does) failedAtMs = beganAtMs;
    return does;
  }, withinMs);
  return failedAtMs;
}
