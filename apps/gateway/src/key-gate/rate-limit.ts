/** What the gate's count means for one request (specification, Limits). */
import type { KeyRecord } from '../keys/key-record.ts';
import { type Admission, coldLimit, windowMs } from './key-gate.ts';

export interface Verdict {
  /** Requests per minute that hold now: X-RateLimit-Limit. */
  limit: number;
  admitted: boolean;
  /** End of the current window in Unix seconds: X-RateLimit-Reset. */
  resetSeconds: number;
  /** Seconds left in the window, at least 1: Retry-After. */
  retryAfterSeconds: number;
}

/** A key's own limit holds once it has completed a request lately, before that 60, lower limits included (decision D13). */
export function effectiveLimit(completedLately: boolean, record: Pick<KeyRecord, 'rateLimit'>): number {
  return completedLately ? record.rateLimit : coldLimit;
}

/** Windows are the minutes of the epoch, so that every node names the same end (decision D12). */
export function judge(admission: Admission, record: Pick<KeyRecord, 'rateLimit'>): Verdict {
  const limit = effectiveLimit(admission.completedLately, record);
  const endMs = admission.nowMs - (admission.nowMs % windowMs) + windowMs;
  return {
    limit,
    admitted: admission.count <= limit,
    resetSeconds: endMs / 1_000,
    retryAfterSeconds: Math.max(1, Math.ceil((endMs - admission.nowMs) / 1_000)),
  };
}
