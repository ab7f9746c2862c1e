/** The specification's 429 with the headers of Limits, which no other answer has. */
import { Problem, texts } from '@store/problem';

export interface TooOften {
  /** Attempts allowed. */
  limit: number;
  now: Date;
  /** When the next attempt is accepted. */
  until: Date;
}

export function rateLimited({ limit, now, until }: TooOften): Problem {
  const headers = {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset': String(Math.ceil(until.getTime() / 1_000)),
    'Retry-After': String(Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000))),
  };
  return new Problem('rate_limited', texts.rateLimited, { headers });
}
