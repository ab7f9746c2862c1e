import { setTimeout as wait } from 'node:timers/promises';

/** Resolves after so many milliseconds, or as soon as the signal is aborted. */
export async function waitOrAbort(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
