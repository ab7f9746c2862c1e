/**
 * Connections kept for the next POST to the same URL. One is used again only where the host, resolved and checked anew, still has its
 * address, and for 30 s at most: by then the receiver shows its certificate again.
 */
import type { TLSSocket } from 'node:tls';

interface KeptSocketsOptions {
  /** Milliseconds of a clock that only moves on; injected in tests. */
  nowMs?: () => number;
  /** Most idle connections of this process. */
  idleMax?: number;
}

/** From the connection on, however much it is used. */
const ageMaxMs = 30_000;
/** Receivers close idle connections, many after 2 s; a POST that crosses the close is lost and retried a minute later. */
const idleDefaultMs = 1_000;
/** A receiver that says after how many seconds it closes an idle connection gets its last POST this much earlier. */
const hintMarginMs = 1_000;
const idleMaxDefault = 500;

interface Idle {
  socket: TLSSocket;
  untilMs: number;
  timer: NodeJS.Timeout;
  drop: () => void;
}

export class KeptSockets {
  readonly #idle = new Map<string, Idle[]>();
  readonly #openedAtMs = new WeakMap<TLSSocket, number>();
  readonly #nowMs: () => number;
  readonly #idleMax: number;
  #count = 0;
  #closed = false;

  constructor({ nowMs = () => performance.now(), idleMax = idleMaxDefault }: KeptSocketsOptions = {}) {
    this.#nowMs = nowMs;
    this.#idleMax = idleMax;
  }

  opened(socket: TLSSocket): void {
    this.#openedAtMs.set(socket, this.#nowMs());
  }

  /** An open connection of that URL to one of the addresses, or undefined. */
  take(url: string, addresses: readonly string[]): TLSSocket | undefined {
    for (const idle of [...(this.#idle.get(url) ?? [])].reverse()) {
      const { socket, untilMs } = idle;
      if (this.#nowMs() >= untilMs || socket.destroyed || !addresses.includes(socket.remoteAddress ?? '')) {
        idle.drop();
        continue;
      }
      this.#forget(url, idle);
      socket.ref();
      return socket;
    }
    return undefined;
  }

  /** Keeps a connection whose answer was read to its end; `hint`: the answer's Keep-Alive header, or empty. */
  keep(url: string, socket: TLSSocket, hint: string): void {
    const now = this.#nowMs();
    const untilMs = Math.min(now + idleMs(hint), (this.#openedAtMs.get(socket) ?? now) + ageMaxMs);
    if (this.#closed || this.#count >= this.#idleMax || socket.destroyed || untilMs <= now) {
      socket.destroy();
      return;
    }
    const drop = () => {
      this.#forget(url, idle);
      // Errors of a connection that is being closed need no handling.
      socket.on('error', () => undefined);
      socket.destroy();
    };
    const idle: Idle = { socket, untilMs, timer: setTimeout(drop, untilMs - now), drop };
    idle.timer.unref();
    socket.unref();
    // Any data or FIN on an idle connection closes it: it would be taken for the next answer.
    for (const event of idleEvents) socket.on(event, drop);
    this.#idle.set(url, [...(this.#idle.get(url) ?? []), idle]);
    this.#count += 1;
  }

  /** Ends idle connections; later ones are not kept. */
  close(): void {
    this.#closed = true;
    for (const { drop } of [...this.#idle.values()].flat()) drop();
  }

  #forget(url: string, idle: Idle): void {
    const others = (this.#idle.get(url) ?? []).filter((one) => one !== idle);
    if (others.length > 0) this.#idle.set(url, others);
    else this.#idle.delete(url);
    this.#count -= 1;
    clearTimeout(idle.timer);
    for (const event of idleEvents) idle.socket.off(event, idle.drop);
  }
}

const idleEvents = ['data', 'end', 'error', 'close'] as const;

function idleMs(hint: string): number {
  const seconds = /(?:^|[,;\s])timeout=(\d{1,5})/i.exec(hint)?.[1];
  return seconds === undefined ? idleDefaultMs : Number(seconds) * 1_000 - hintMarginMs;
}
