/**
 * A clock that several processes share and a test sets: eight bytes in a file, read on every call. A time that a test sets
 * therefore applies in every process when `set` returns, as with the clock of one process.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { Clock } from '@store/db';

/** A clock that stands still until a test sets it. */
export interface TestClock extends Clock {
  set(at: string | Date): void;
  advance(ms: number): void;
}

const bytes = 8;

export class SharedClock implements TestClock {
  readonly #file: number;
  readonly #ms = new Float64Array(1);

  private constructor(file: number) {
    this.#file = file;
  }

  /** Creates the file, or opens the one that another process has created. */
  static open(path: string, at?: string): SharedClock {
    const clock = new SharedClock(openSync(path, at === undefined ? 'r' : 'w+'));
    if (at !== undefined) clock.set(at);
    return clock;
  }

  now(): Date {
    readSync(this.#file, this.#ms, 0, bytes, 0);
    return new Date(this.#ms[0]!);
  }

  set(at: string | Date): void {
    this.#ms[0] = new Date(at).getTime();
    writeSync(this.#file, this.#ms, 0, bytes, 0);
  }

  advance(ms: number): void {
    this.set(new Date(this.now().getTime() + ms));
  }

  close(): void {
    closeSync(this.#file);
  }
}
