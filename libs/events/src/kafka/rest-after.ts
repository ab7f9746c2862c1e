/** How long a consumer group rests after a fetched batch. */

export interface Fetched {
  /** Of its subscription, asked after each batch; 0: requests depend on its work. */
  lingerMs: number;
  /** Time since the batch arrived, until it was handled. */
  tookMs: number;
  /** Messages of its partition that wait already. */
  behind: number;
}

/**
 * Waits longer after a batch that no request depends on. After a small batch it waits so that the next ones are handled together; in
 * a backlog as long as the batch took, which leaves half of the time of PostgreSQL and of this process to requests.
 */
export function restAfter({ lingerMs, tookMs, behind }: Fetched): number {
  return behind === 0 ? Math.max(0, lingerMs - tookMs) : Math.min(lingerMs, tookMs);
}
