/** Codes that were scanned or typed, looked up one after the other in their order: none is lost and none is taken twice. */

/** A code as it was entered; `3*` before it means three of it. */
export interface Scan {
  code: string;
  quantity: number;
}

export function scanFrom(text: string): Scan | undefined {
  const [, times, code] = /^(?:([1-9]\d{0,3})\*)?(.+)$/.exec(text.trim()) ?? [];
  return code === undefined || code.trim() === '' ? undefined : { code: code.trim(), quantity: Number(times ?? 1) };
}

interface Doors<Found> {
  /** undefined: nothing has this code. Throws when no answer came. */
  lookUp: (code: string) => Promise<Found | undefined>;
  found: (found: Found, scan: Scan) => void;
  unknown: (code: string) => void;
  /** How many wait, and whether the last look-up had no answer. */
  changed: (waiting: number, isCutOff: boolean) => void;
  /** Between two attempts while no answer comes. */
  pause: () => Promise<void>;
  /** Whether an error means that the look-up can succeed later. */
  isUnanswered: (error: unknown) => boolean;
}

export class ScanQueue<Found> {
  readonly #doors: Doors<Found>;
  readonly #waiting: Scan[] = [];
  #running: Promise<void> | undefined;
  #isCutOff = false;

  constructor(doors: Doors<Found>) {
    this.#doors = doors;
  }

  add(scan: Scan): void {
    this.#waiting.push(scan);
    this.#say();
    this.#running ??= this.#run();
  }

  /** Resolves when every code so far is a line or is known to be unknown. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      await this.#take(next);
      this.#waiting.shift();
      this.#say();
    }
    this.#running = undefined;
  }

  async #take(scan: Scan): Promise<void> {
    const { code } = scan;
    const { lookUp, found, unknown, pause, isUnanswered } = this.#doors;
    for (;;) {
      try {
        const product = await lookUp(code);
        this.#isCutOff = false;
        return product === undefined ? unknown(code) : found(product, scan);
      } catch (error) {
        if (!isUnanswered(error)) {
          this.#isCutOff = false;
          return unknown(code);
        }
        this.#isCutOff = true;
        this.#say();
        await pause();
      }
    }
  }

  #say(): void {
    this.#doors.changed(this.#waiting.length, this.#isCutOff);
  }
}
