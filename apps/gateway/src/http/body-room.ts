/** Memory for request bodies, reserved before the socket is read, store by store in turn (D256); less for bodies before a login. */
import type { Readable } from 'node:stream';
import { Problem } from '@store/problem';
import { Shares } from '@store/shares';

const megabyte = 1024 * 1024;

interface RoomSize {
  bytes?: number;
  anonymousBytes?: number;
  anonymousWaiting?: number;
  /** How long a body may take to arrive at any rate; then it must have come at 1 KB/s. */
  slowAfterMs?: number;
}

/** The store, or the address that calls a public endpoint. */
export type BodyHolder = { storeId: number } | { address: string };

export class BodyRoom {
  readonly slowAfterMs: number;
  readonly anonymousWaiting: number;
  readonly #ofStores: Shares;
  readonly #ofStrangers: Shares;

  /** Strangers get so little that all of them, gone at once, hold the event loop for less than 50 ms. */
  constructor({ bytes = 64 * megabyte, anonymousBytes = megabyte, anonymousWaiting = 64, slowAfterMs = 5_000 }: RoomSize = {}) {
    this.slowAfterMs = slowAfterMs;
    this.anonymousWaiting = anonymousWaiting;
    this.#ofStores = new Shares(bytes);
    this.#ofStrangers = new Shares(anonymousBytes, anonymousWaiting);
  }

  get taken(): number {
    return this.#ofStores.inUse + this.#ofStrangers.inUse;
  }

  /** Resolves with a function that releases the room; rejects when the request is aborted, and with `LineFull` where too many wait. */
  async enter(request: Readable, holder: BodyHolder, bytes: number): Promise<() => void> {
    const [shares, name] = 'storeId' in holder ? [this.#ofStores, holder.storeId] : [this.#ofStrangers, holder.address];
    if (!shares.takeFree(name, bytes)) {
      const gone = new AbortController();
      const abort = () => gone.abort(bodyUnreadable());
      if (request.destroyed) abort();
      request.once('close', abort);
      await shares.take(name, bytes, gone.signal).finally(() => request.off('close', abort));
    }
    return () => shares.give(name, bytes);
  }
}

export function bodyUnreadable(cause?: unknown): Problem {
  return new Problem('missing_parameter', 'Request body could not be read', {}, { cause });
}
