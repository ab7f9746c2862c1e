/** The waits of the engine. Those between attempts are in schedule.ts, the timeouts of one POST in receivers/attempt.ts. */

/** A lease is longer than any attempt (5 s to connect, 10 s to respond), so that it expires only if its process is gone. */
export const leaseMs = 30_000;

/** Leases of attempts that last, or whose results are recorded late, are renewed before they expire, also after one failed renewal. */
export const renewEveryMs = leaseMs / 3;

/** A process is dead when it had no session for this long: longer than it takes to reconnect to a restarted PostgreSQL. */
export const deadAfterMs = 5_000;

/** Retries become due by time alone, and a notification may be lost: both are found by this poll. */
export const pollMs = 500;

/** Another process is claiming, which takes a few milliseconds; or the last claim left something. */
export const claimAgainMs = 5;

/** Attempts that end one after another are recorded in one transaction: this long from one result to the next ... */
export const nextResultMs = 3;

/** ... and this long from the first, as the next event of the same record waits for it. */
export const resultsMaxMs = 10;

/** After a failure on our side: a broken database is not queried in a tight loop. */
export const afterFailureMs = 200;

/** A stop waits for attempts in flight, which last 15 s at most, and for their results. */
export const stopMaxMs = 18_000;

/** A process that stops in mid-transaction must not keep its locks, for which all others wait. */
export const idleInTransactionMs = 5_000;
