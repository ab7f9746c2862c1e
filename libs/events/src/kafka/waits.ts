/** Waits of kafkajs clients. */
import { setTimeout as wait } from 'node:timers/promises';
import { kafkaTiming } from '../timing.ts';

/** Rejects after `ms`; the other promise continues, and its result is ignored. */
export function withTimeout<T>(ms: number, work: Promise<T>, message: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(message)), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Repeats requests that kafkajs calls retriable: a broker with a new topic, or asked for its first group, may not know yet that it leads it. */
export async function retryRetriable<T>(ask: () => Promise<T>, maxMs: number = kafkaTiming.retriableMaxMs): Promise<T> {
  const giveUpAt = performance.now() + maxMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error as { retriable?: boolean }).retriable || performance.now() > giveUpAt) throw error;
    }
    await wait(kafkaTiming.retriableEveryMs);
  }
}

/**
 * The pause of a group after a fetched batch that took `tookMs`. After a small batch it waits so that the next ones are handled
 * together; in a backlog, where `behind` messages of its partition wait, as long as the batch took, which leaves half of the time of
 * PostgreSQL and of this process to requests. `lingerMs` is 0 where requests depend on its work.
 */
export function pauseAfter({ lingerMs, tookMs, behind }: { lingerMs: number; tookMs: number; behind: number }): number {
  return behind === 0 ? Math.max(0, lingerMs - tookMs) : Math.min(lingerMs, tookMs);
}
