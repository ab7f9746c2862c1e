import type { KeyGate } from '../key-gate/key-gate.ts';

export class Tombstones {
  readonly #keyGate: KeyGate;
  readonly #hashes: Set<string>;
  readonly #written = new Set<string>();

  constructor(keyGate: KeyGate, hashes: string[]) {
    this.#keyGate = keyGate;
    this.#hashes = new Set(hashes);
  }

  get hashes(): string[] {
    return [...this.#hashes];
  }

  add(hashes: string[]): void {
    for (const hash of hashes) this.#hashes.add(hash);
  }

  /** Writes the missing tombstones; rejects when the key gate cannot be reached. */
  async write(): Promise<void> {
    for (const hash of this.#hashes) {
      if (this.#written.has(hash)) continue;
      await this.#keyGate.revoke(hash);
      this.#written.add(hash);
    }
  }

  /** Cached records are dropped first: if the commit did happen after all, the next request reads the database and is refused. */
  async undo(): Promise<void> {
    await this.#keyGate.forget(this.hashes);
    for (const hash of this.#written) await this.#keyGate.unrevoke(hash);
  }
}
