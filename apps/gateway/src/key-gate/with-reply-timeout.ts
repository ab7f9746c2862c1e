/**
 * A reply timeout that distinguishes a silent server from a blocked event loop. The clock starts
 * when the call has been written, not when it was made. If the timer fires late, the socket was not read
 * meanwhile, so an answer that has arrived or is about to gets another chance. Both happen on an overloaded machine.
 */
export class NoAnswer extends Error {
  /** When the call was written. */
  readonly sinceMs: number;

  constructor(waitMs: number, sinceMs: number) {
    super(`Redis did not answer within ${waitMs} ms`);
    this.sinceMs = sinceMs;
  }
}

/** A timer that is late by more than this part of the timeout shows that the event loop was blocked. */
const lateShare = 0.2;
/** The extra wait, as a part of the timeout, and the most extra waits there are. */
const againShare = 0.5;
const agains = 2;

/** Rejects without an answer for that time; after twice the waiting time in any case. */
export function withReplyTimeout<T>(waitMs: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let sinceMs = 0;
    const wait = (ms: number, againsLeft: number) => {
      const dueMs = performance.now() + ms;
      timer = setTimeout(() => {
        if (performance.now() - dueMs > lateShare * waitMs && againsLeft > 0) wait(againShare * waitMs, againsLeft - 1);
        // Bytes that have arrived are read before the next immediate.
        else setImmediate(() => reject(new NoAnswer(waitMs, sinceMs)));
      }, ms);
    };
    // The client writes in its own immediate, which runs before this one.
    const written = setImmediate(() => {
      sinceMs = performance.now();
      wait(waitMs, agains);
    });
    const done = () => {
      clearImmediate(written);
      clearTimeout(timer);
    };
    answer.then(
      (value) => {
        done();
        resolve(value);
      },
      (error: unknown) => {
        done();
        reject(error);
      },
    );
  });
}
