/** The port between the journeys and what runs the product for them. */
import type { TestClock } from './shared-clock.ts';

/** What runs the product; the journeys do not see which. */
export interface Layout {
  baseUrl: string;
  databaseUrl: string;
  clock: TestClock;
  /** Messages that were told and are not handled yet. */
  behind(): Promise<number>;
  logged(): Record<string, unknown>[];
  close(): Promise<void>;
}

export interface LayoutOptions {
  env: Record<string, string>;
  startsAt: string;
  purgeOldEvents: boolean;
}
