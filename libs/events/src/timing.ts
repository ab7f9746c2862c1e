/** Every wait and time limit on an event's way, with its reason. What is measured while running is in relay-pace.ts and relay-linger.ts. */

/** The relay of a schema. */
export const relayTiming = {
  /** It is woken after each commit; the poll finds what was committed while the notification was lost. */
  pollMs: 500,
  /** Least time between two batches, so that commits travel together. */
  lingerMs: 8,
  /** Least time between two notifications to a relay of another process: it gathers what is committed within it anyway. */
  notifyEveryMs: 12,
  /** The lock of a relay that vanished or hangs passes to another process after this time. */
  idleMaxMs: 10_000,
  /** Keeps the session while Kafka is slow. */
  heartbeatEveryMs: 3_000,
  /** Longest wait for PostgreSQL. */
  answerTimeoutMs: 10_000,
} as const;

/** Towards Kafka. */
export const kafkaTiming = {
  /** Longest wait for the acknowledgement of one batch; kafkajs alone may wait for minutes on a dead socket. */
  publishMaxMs: 5_000,
  stopMaxMs: 5_000,
  connectMaxMs: 3_000,
  requestMaxMs: 30_000,
  /** A broker answers every request sooner; a fetch waits for messages for `fetchWaitMs`. */
  silenceMaxMs: 10_000,
  /** A join is answered once every member has joined, which may take `rebalanceMaxMs`. */
  joinMaxMs: 65_000,
  keepAliveAfterMs: 10_000,
  /** A request that kafkajs calls retriable is repeated for so long, at this interval. */
  retriableMaxMs: 10_000,
  retriableEveryMs: 50,
  /** New topics have leaders within this time. */
  leadersMaxMs: 30_000,
  /** Until the topics are looked at again where Kafka did not answer. */
  topicsAgainAfterMs: 30_000,
} as const;

/** A consumer group. */
export const groupTiming = {
  fetchWaitMs: 500,
  heartbeatEveryMs: 3_000,
  /** A member that vanished keeps its partitions this long; kafkajs loses its member id when Kafka comes back. */
  sessionMaxMs: 10_000,
  rebalanceMaxMs: 60_000,
  /** A batch that failed is handled again after the first of these, then after twice as long, up to the second. */
  retryMinMs: 100,
  retryMaxMs: 1_000,
  /** What a process that dies had not committed yet comes again. */
  commitEveryMs: 500,
  /** A consumer without progress for this long is stuck, whatever its heartbeats say. */
  stuckAfterMs: 60_000,
} as const;

export const dayMs = 24 * 3_600_000;

/** EVENT_RETENTION_DAYS: days that a topic keeps an event. */
export const retentionDaysDefault = 7;

/**
 * Days that an inbox remembers an event. A topic delivers it until its retention ends, and an event that is sent again
 * within that time stays on the topic for another retention.
 */
export const inboxDays = (retentionDays: number): number => 2 * retentionDays;
