/** The retention that topics, inboxes and redrive share: EVENT_RETENTION_DAYS. */

/** Days that a topic keeps an event. */
export const retentionDaysDefault = 7;

/**
 * Days that an inbox remembers an event. A topic delivers it until its retention ends, and an event that is sent again
 * within that time stays on the topic for another retention.
 */
export const inboxDays = (retentionDays: number): number => 2 * retentionDays;

export const dayMs = 24 * 3_600_000;
