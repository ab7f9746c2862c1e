/**
 * Commits a group's offsets at intervals, and at once before its partitions go to another member. A process that dies leaves
 * the last interval uncommitted: its messages come again, and the inbox knows them.
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

  /** Offsets were resolved and are to be committed. */
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
