import { setTimeout as wait } from 'node:timers/promises';
import { kafkaTiming } from '../timing.ts';

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
