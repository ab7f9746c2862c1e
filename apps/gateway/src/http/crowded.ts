import type { Clock } from '@store/db';
import { Problem, rateLimited } from '@store/problem';

const comeAgainMs = 1_000;

/** 429 for one of those who hold most of what all share. Its connection ends with it, so that it holds nothing more. */
export function crowded(limit: number, clock: Clock): Problem {
  const now = clock.now();
  const { kind, message, extra } = rateLimited({ limit, now, until: new Date(now.getTime() + comeAgainMs) });
  return new Problem(kind, message, { headers: { ...extra.headers, Connection: 'close' } });
}
