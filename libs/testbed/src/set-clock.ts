import type { Clock } from '@store/db';

/** A clock whose time changes only when a test sets it. */
export class SetClock implements Clock {
  #ms: number;
  constructor(at: string | Date) {
    this.#ms = new Date(at).getTime();
  }
  now(): Date {
    return new Date(this.#ms);
  }
  set(at: string | Date): void {
    this.#ms = new Date(at).getTime();
  }
  advance(ms: number): void {
    this.#ms += ms;
  }
}
