/** The same sent twice is a button that was pressed twice, or a key that bounced: it is sent once. */

/** A dialog that is closing takes keys for so long after its answer. */
const closingMs = 1_000;

interface Sent<Answer> {
  content: string;
  answer: Promise<Answer>;
  endedAt: number;
}

export class Once<Answer> {
  readonly #now: () => number;
  #last: Sent<Answer> | undefined;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** The answer to the same content, where that is under way or was taken just now; otherwise that of `send`. */
  send(content: string, send: () => Promise<Answer>): Promise<Answer> {
    const before = this.#last;
    if (before?.content === content && this.#now() < before.endedAt + closingMs) return before.answer;
    const sent: Sent<Answer> = { content, endedAt: Number.POSITIVE_INFINITY, answer: send() };
    this.#last = sent;
    sent.answer.then(
      () => {
        sent.endedAt = this.#now();
      },
      // What was refused, or has no answer, may be sent again at once.
      () => {
        sent.endedAt = Number.NEGATIVE_INFINITY;
      },
    );
    return sent.answer;
  }
}
