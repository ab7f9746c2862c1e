/**
 * A wait for an answer that tells the other side's stopDeliveries from this process's own. The clock starts
 * when the call has been written, not when it was made; and where the wait ends late, nobody looked at the socket
 * meanwhile, so what is in it or about to be gets another chance. Of a machine short of CPU both are true all the time.
 */
export class NoAnswer extends Error {
  /** When the call was written. */
  readonly sinceMs: number;

  constructor(waitMs: number, sinceMs: number) {
    super(`Redis did not answer within ${waitMs} ms`);
    this.sinceMs = sinceMs;
  }
}

/** A timer that is later than this part of its wait says that the event loop was held up. */
const lateShare = 0.2;
/** What is waited once more, as a part of the wait, and how much there is of it at most. */
const againShare = 0.5;
const agains = 2;

/** Rejects when there was no answer for that time; after twice the time of waiting in any case. */
export function within<T>(waitMs: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let sinceMs = 0;
    const wait = (ms: number, againsLeft: number) => {
      const dueMs = performance.now() + ms;
      timer = setTimeout(() => {
        if (performance.now() - dueMs > lateShare * waitMs && againsLeft > 0) wait(againShare * waitMs, againsLeft - 1);
        // What has arrived is read before the next immediate.
        else setImmediate(() => reject(new NoAnswer(waitMs, sinceMs)));
      }, ms);
    };
    // The client writes in an immediate of its own, which is before this one.
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
