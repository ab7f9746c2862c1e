/** The interface between the journeys and what runs the product for them. */
import type { TestClock } from './shared-clock.ts';

/** Runs the product; journeys do not depend on which layout it is. */
export interface Layout {
  baseUrl: string;
  databaseUrl: string;
  clock: TestClock;
  /** Messages that were published so far, and how many of them some group has not handled yet. */
  published(): Promise<{ messages: number; behind: number }>;
  logged(): Record<string, unknown>[];
  close(): Promise<void>;
}

export interface LayoutOptions {
  env: Record<string, string>;
  startsAt: string;
  purgeOldEvents: boolean;
}
