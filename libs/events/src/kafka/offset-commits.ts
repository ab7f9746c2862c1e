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

  constructor(everyMs: number, onError: (error: unknown) => void) {
    this.#everyMs = everyMs;
    this.#onError = onError;
  }

  due(payload: Payload): void {
    this.#newest = payload;
    this.#timer ??= setTimeout(() => void this.commit(), this.#everyMs);
  }

  /** Commits what is due now; a failure is reported, as the next commit covers it. */
  async commit(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const payload = this.#newest;
    this.#newest = undefined;
    if (!payload) return;
    try {
      await payload.commitOffsetsIfNecessary(payload.uncommittedOffsets());
    } catch (error) {
      this.#onError(error);
    }
  }
}
