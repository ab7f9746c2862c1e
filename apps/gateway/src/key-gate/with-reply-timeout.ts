/** A reply timeout that tells a silent server from a blocked event loop: from when the call was written; a late timer waits again. */
export class NoAnswer extends Error {
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

/** The event loop, which tests play. Each of its two schedules returns what ends it. */
export interface Loop {
  now(): number;
  after(ms: number, run: () => void): () => void;
  /** Once what has arrived was read and written. */
  soon(run: () => void): () => void;
}

const realLoop: Loop = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  soon: (run) => {
    const immediate = setImmediate(run);
    return () => clearImmediate(immediate);
  },
};

/** Rejects without an answer for that time; after twice the waiting time in any case. */
export function withReplyTimeout<T>(waitMs: number, answer: Promise<T>, loop = realLoop): Promise<T> {
  return new Promise((resolve, reject) => {
    let forget: () => void;
    let sinceMs = 0;
    const wait = (ms: number, againsLeft: number) => {
      const dueMs = loop.now() + ms;
      forget = loop.after(ms, () => {
        if (loop.now() - dueMs > lateShare * waitMs && againsLeft > 0) wait(againShare * waitMs, againsLeft - 1);
        // Bytes that have arrived are read before the next immediate.
        else forget = loop.soon(() => reject(new NoAnswer(waitMs, sinceMs)));
      });
    };
    // The client writes in its own immediate, which runs before this one.
    forget = loop.soon(() => {
      sinceMs = loop.now();
      wait(waitMs, agains);
    });
    answer.then(
      (value) => {
        forget();
        resolve(value);
      },
      (error: unknown) => {
        forget();
        reject(error);
      },
    );
  });
}
