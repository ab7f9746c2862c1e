/**
 * Keeps a service that hangs from taking its callers with it. A service that is gone refuses the
 * connection, and gRPC then fails every call at once by itself; one that hangs keeps the connection
 * and lets every call wait for its deadline. After a few of those in a row, with no answer between
 * them, calls are refused at once while a probe asks, on its own, whether anybody answers again. No
 * request of a client is spent on finding out.
 */
import { Problem, texts } from '@store/problem';

export interface BreakerOptions {
  /** Whether the service answers anything at all; resolves within its own short deadline. */
  probe(): Promise<boolean>;
  callsMax?: number;
  probeEveryMs?: number;
}

/** How a call ended, as far as the service's health goes. */
export type Outcome = 'answered' | 'late' | 'lost';

/** More calls than this under way in one process mean that the service does not keep up: each holds a socket and a buffer. */
const callsMaxDefault = 1_000;
const latesMax = 5;
/** A call that was given less time than this says nothing about the service. */
export const lateFromMs = 1_000;
const probeEveryDefaultMs = 250;

export class Breaker {
  readonly #probe: () => Promise<boolean>;
  readonly #callsMax: number;
  readonly #probeEveryMs: number;
  #underWay = 0;
  #lates = 0;
  #probing: NodeJS.Timeout | undefined;
  #open = false;

  constructor(options: BreakerOptions) {
    this.#probe = options.probe;
    this.#callsMax = options.callsMax ?? callsMaxDefault;
    this.#probeEveryMs = options.probeEveryMs ?? probeEveryDefaultMs;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  get underWay(): number {
    return this.#underWay;
  }

  /** Admits a call, or throws what the client gets. Every admitted call must `leave`. */
  enter(): void {
    if (this.#open) throw refused('the service does not answer at present');
    if (this.#underWay >= this.#callsMax) throw refused(`${this.#callsMax} calls to the service are under way`);
    this.#underWay += 1;
  }

  leave(outcome: Outcome): void {
    this.#underWay -= 1;
    if (outcome === 'answered') this.#lates = 0;
    if (outcome === 'late' && ++this.#lates >= latesMax && !this.#open) {
      this.#open = true;
      this.#probeLater();
    }
  }

  stop(): void {
    clearTimeout(this.#probing);
    this.#open = false;
  }

  #probeLater(): void {
    this.#probing = setTimeout(() => void this.#probeNow(), this.#probeEveryMs);
    this.#probing.unref();
  }

  async #probeNow(): Promise<void> {
    const answers = await this.#probe();
    if (!this.#open) return;
    if (!answers) return this.#probeLater();
    this.#open = false;
    this.#lates = 0;
  }
}

function refused(why: string): Problem {
  return new Problem('unavailable', texts.unexpected, {}, { cause: new Error(why) });
}
