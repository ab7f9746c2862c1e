/**
 * Limits the memory for request bodies that this process is reading. A request reserves what its body may need
 * before its socket is read, so two half-read requests never wait for each other; without room, the socket
 * is not read.
 */
import type { Readable } from 'node:stream';
import { Problem } from '@store/problem';

const totalBytes = 64 * 1024 * 1024;

export interface RoomSize {
  bytes: number;
  /** The most that one holder may reserve, so that slow senders do not block others. */
  bytesPerHolder: number;
}

interface Visitor {
  /** A store, or the address that calls a public endpoint. */
  holder: string;
  bytes: number;
}

interface Waiting extends Visitor {
  enter: () => void;
}

export class BodyRoom {
  readonly #size: RoomSize;
  readonly #held = new Map<string, number>();
  /** In the order of arrival. */
  readonly #waiting = new Set<Waiting>();
  #taken = 0;

  constructor(size: RoomSize = { bytes: totalBytes, bytesPerHolder: totalBytes / 4 }) {
    this.#size = size;
  }

  /** Bytes reserved now. */
  get taken(): number {
    return this.#taken;
  }

  /** Resolves once there is room, with a function that releases it; rejects when the request is aborted before. */
  async enter(request: Readable, visitor: Visitor): Promise<() => void> {
    if (this.#fits(visitor)) this.#take(visitor);
    else await this.#turn(request, visitor);
    return () => this.#leave(visitor);
  }

  async #turn(request: Readable, visitor: Visitor): Promise<void> {
    if (request.destroyed) throw bodyUnreadable();
    return new Promise((resolve, reject) => {
      const gone = () => {
        this.#waiting.delete(waiting);
        reject(bodyUnreadable());
      };
      const enter = () => {
        request.off('close', gone);
        resolve();
      };
      const waiting: Waiting = { ...visitor, enter };
      this.#waiting.add(waiting);
      request.once('close', gone);
    });
  }

  #fits({ holder, bytes }: Visitor): boolean {
    return this.#taken + bytes <= this.#size.bytes && (this.#held.get(holder) ?? 0) + bytes <= this.#size.bytesPerHolder;
  }

  #take({ holder, bytes }: Visitor): void {
    this.#taken += bytes;
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + bytes);
  }

  #leave({ holder, bytes }: Visitor): void {
    this.#taken -= bytes;
    const left = this.#held.get(holder)! - bytes;
    if (left > 0) this.#held.set(holder, left);
    else this.#held.delete(holder);
    for (const waiting of this.#waiting) {
      if (!this.#fits(waiting)) continue;
      this.#waiting.delete(waiting);
      this.#take(waiting);
      waiting.enter();
    }
  }
}

export function bodyUnreadable(cause?: unknown): Problem {
  return new Problem('missing_parameter', 'Request body could not be read', {}, { cause });
}
