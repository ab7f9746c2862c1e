/** Requests in numbers: at a steady rate however long the answers take, or by clients that wait for each answer. */
import { setTimeout as wait } from 'node:timers/promises';

const tickMs = 10;

export interface PacedOptions {
  perSecond: number;
  /** At the same time; what would be more is skipped. */
  inFlightMax?: number;
  /** How many in all; until it is stopped when absent. */
  count?: number;
}

export interface Paced {
  begun: number;
  /** Not begun, as too many were under way. */
  skipped: number;
  /** Counts one that `send` has begun itself. */
  another(): void;
  /** Resolves when the requests under way have ended. */
  stop(): Promise<void>;
  /** Resolves when `count` requests have ended. */
  ended: Promise<void>;
}

export function startPaced(
  { perSecond, inFlightMax = 1_000_000, count = 1_000_000_000 }: PacedOptions,
  send: (n: number) => Promise<unknown>,
): Paced {
  const underWay = new Set<Promise<unknown>>();
  const stopped = new AbortController();
  const startedAt = performance.now();
  const paced: Paced = { begun: 0, skipped: 0, another: () => void paced.begun++, stop: async () => undefined, ended: Promise.resolve() };
  paced.ended = (async () => {
    while (!stopped.signal.aborted && paced.begun < count) {
      await wait(tickMs);
      const due = Math.min(count, ((performance.now() - startedAt) * perSecond) / 1_000);
      for (; paced.begun < due; paced.begun++) {
        if (underWay.size >= inFlightMax) {
          paced.skipped += 1;
          continue;
        }
        const one = send(paced.begun).finally(() => underWay.delete(one));
        underWay.add(one);
      }
    }
    await Promise.all(underWay);
  })();
  paced.stop = async () => {
    stopped.abort();
    await paced.ended;
  };
  return paced;
}

/** `count` clients: each sends one request after another, the next one `everyMs` after the last began, but never a burst of late ones. */
export function startClients(
  count: number,
  everyMs: number,
  request: (client: number, n: number) => Promise<unknown>,
): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const clients = Array.from({ length: count }, async (_, client) => {
    if (everyMs > 0) await wait((client * 37) % everyMs);
    for (let n = 0; !stopped.signal.aborted; n++) await Promise.all([request(client, n), wait(everyMs)]);
  });
  return {
    stop: async () => {
      stopped.abort();
      await Promise.all(clients);
    },
  };
}

/** The value below which this share of them stays. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: number[]): number => percentile(values, 0.5);
