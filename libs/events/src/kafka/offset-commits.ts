/**
 * Commits a group's offsets at intervals, and before its partitions move. What a dead process had not committed comes again, and the
 * inbox knows it.
 */
import type { EachBatchPayload } from 'kafkajs';

type Payload = Pick<EachBatchPayload, 'commitOffsetsIfNecessary' | 'uncommittedOffsets'>;

export class OffsetCommits {
  readonly #everyMs: number;
  readonly #onError: (error: unknown) => void;
  /** Committing the newest batch commits all partitions of the group. */
  #newest: Payload | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(everyMs: number, onError: (error: unknown) => void) {
    this.#everyMs = everyMs;
    this.#onError = onError;
  }

  due(payload: Payload): void {
    this.#newest = payload;
    this.#later();
  }

  #later(): void {
    if (!this.#isEnded) this.#timer ??= setTimeout(() => void this.commit(), this.#everyMs);
  }

  /** Commits what is due now. A failure is reported, and it is tried again: a message that would bring the next commit may never come. */
  async commit(): Promise<void> {
    const payload = this.#newest;
    this.forget();
    if (!payload) return;
    try {
      await payload.commitOffsetsIfNecessary(payload.uncommittedOffsets());
    } catch (error) {
      this.#onError(error);
      this.#newest ??= payload;
      this.#later();
    }
  }

  /** The group was joined again: Kafka delivers what was not committed before once more, here or to another member. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#newest = undefined;
  }

  /** Commits for the last time. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await this.commit();
  }
}
