/** One length of time that topics, inboxes and redrive keep to: EVENT_RETENTION_DAYS. */

/** Days that a topic keeps an event. */
export const retentionDaysDefault = 7;

/**
 * Days that an inbox remembers an event. A topic hands it over until its retention ends, and what is sent again within
 * that time stays on the topic as long once more.
 */
export const inboxDays = (retentionDays: number): number => 2 * retentionDays;

export const dayMs = 24 * 3_600_000;
