/** How long a consumer group rests after a fetched batch. */

export interface Fetched {
  /** Of its subscription, asked now; 0: somebody waits for what it does. */
  lingerMs: number;
  /** Time since the batch arrived, until it was handled. */
  tookMs: number;
  /** Messages of its partition that wait already. */
  behind: number;
}

/**
 * After a small batch until the next ones have come together. In a backlog as long as the batch took, so that a group nobody waits
 * for leaves half of its time, and of PostgreSQL's and its own process's, to what answers requests.
 */
export function restAfter({ lingerMs, tookMs, behind }: Fetched): number {
  return behind === 0 ? Math.max(0, lingerMs - tookMs) : Math.min(lingerMs, tookMs);
}
