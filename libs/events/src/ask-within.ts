import { setTimeout as wait } from 'node:timers/promises';

const answerWithinMs = 10_000;
const againAfterMs = 50;

/** Repeats requests that kafkajs calls retriable: a broker with a new topic, or asked for its first group, may not know yet that it leads it. */
export async function askWithin<T>(ask: () => Promise<T>, withinMs = answerWithinMs): Promise<T> {
  const giveUpAt = performance.now() + withinMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error as { retriable?: boolean }).retriable || performance.now() > giveUpAt) throw error;
    }
    await wait(againAfterMs);
  }
}
