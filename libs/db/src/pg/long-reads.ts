/**
 * Few long reads run at a time: PostgreSQL has fewer processors than connections, so those of one store would slow every statement of
 * another. While other stores call, a store has one at a time, and rests after it three times as long as it took: it takes at most a
 * quarter of a processor from them (D256).
 */
import { type Holder, Shares } from '@store/shares';
import { othersCall, pauseAfter } from '@store/shares/asker';

/** A read that runs longer is a long one. */
export const longReadMs = 100;
/** The part of the connections on which long reads run. Each counts double, so that one store alone leaves room for another's. */
const shareOfConnections = 1 / 4;
const counts = 2;
/** As long as a client waits for a read. */
const restMaxMs = 5_000;

/** Resolves once the present asker, of this holder, has `amount` of `shares`; rejects when it is not its turn in time, or it has gone. */
type Turn = (shares: Shares, amount?: number) => Promise<Holder>;
/** Ends a long read that took so long. */
type End = (tookMs: number) => void;

export class LongReads {
  readonly #shares: Shares;
  readonly #turn: Turn;
  /** By store, one place: of the read that runs, or rests. */
  readonly #lines = new Map<Holder, Shares>();
  /** How many wait, by store and statement. */
  readonly #waiting = new Map<string, number>();

  constructor(connections: number, turn: Turn) {
    this.#shares = new Shares(counts * Math.max(1, Math.floor(connections * shareOfConnections)));
    this.#turn = turn;
  }

  /** Whether one of this store and statement waits. */
  waits(holder: Holder, text: string): boolean {
    return this.#waiting.size > 0 && this.#waiting.has(keyOf(holder, text));
  }

  /** For one that runs already; undefined: it must end and wait for its turn. */
  takeFree(holder: Holder): End | undefined {
    const line = this.#lineOf(holder);
    if (line && !line.takeFree(holder)) return undefined;
    if (this.#shares.takeFree(holder, counts)) return this.#end(holder, line);
    if (line) this.#leave(holder, line);
    return undefined;
  }

  async take(holder: Holder, text: string): Promise<End> {
    const key = keyOf(holder, text);
    this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + 1);
    const line = this.#lineOf(holder);
    try {
      if (line) await this.#turn(line);
      await this.#turn(this.#shares, counts).catch((error: unknown) => {
        if (line) this.#leave(holder, line);
        throw error;
      });
      return this.#end(holder, line);
    } finally {
      const waiting = this.#waiting.get(key)! - 1;
      if (waiting > 0) this.#waiting.set(key, waiting);
      else this.#waiting.delete(key);
    }
  }

  #lineOf(holder: Holder): Shares | undefined {
    if (!this.#lines.has(holder) && othersCall(holder)) this.#lines.set(holder, new Shares(1));
    return this.#lines.get(holder);
  }

  #end(holder: Holder, line: Shares | undefined): End {
    return (tookMs) => {
      this.#shares.give(holder, counts);
      if (line) setTimeout(() => this.#leave(holder, line), pauseAfter(holder, tookMs, restMaxMs)).unref();
    };
  }

  #leave(holder: Holder, line: Shares): void {
    line.give(holder);
    if (line.inUse + line.waiting === 0) this.#lines.delete(holder);
  }
}

const keyOf = (holder: Holder, text: string): string => `${holder} ${text}`;
