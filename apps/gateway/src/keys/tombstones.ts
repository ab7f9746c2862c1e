/** The tombstones of one key under revocation: which of its hashes the key gate refuses by now. */
import type { KeyGate } from '../key-gate/key-gate.ts';

export class Tombstones {
  readonly #keyGate: KeyGate;
  readonly #hashes: Set<string>;
  readonly #written = new Set<string>();

  /** `hashes`: those (hex) that the key is known by so far. */
  constructor(keyGate: KeyGate, hashes: string[]) {
    this.#keyGate = keyGate;
    this.#hashes = new Set(hashes);
  }

  /** Every hash that the key was found under. */
  get hashes(): string[] {
    return [...this.#hashes];
  }

  add(hashes: string[]): void {
    for (const hash of hashes) this.#hashes.add(hash);
  }

  /** Writes what is missing; rejects when the key gate cannot be reached. */
  async write(): Promise<void> {
    for (const hash of this.#hashes) {
      if (this.#written.has(hash)) continue;
      await this.#keyGate.revoke(hash);
      this.#written.add(hash);
    }
  }

  /**
   * Takes them back. Cached records are dropped first: if the commit is in doubt and has happened after all, the next
   * request asks the database and is refused.
   */
  async undo(): Promise<void> {
    await this.#keyGate.forget(this.hashes);
    for (const hash of this.#written) await this.#keyGate.unrevoke(hash);
  }
}
