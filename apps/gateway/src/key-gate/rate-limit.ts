import type { KeyRecord } from '../keys/key-record.ts';
import { type Admission, coldLimit, windowMs } from './key-gate.ts';

export interface RateLimit {
  limit: number;
  admitted: boolean;
  until: Date;
}

/** A key's own limit applies once it has completed a request recently; before that 60 applies, to lower limits too (D13). */
export function effectiveLimit(completedLately: boolean, record: Pick<KeyRecord, 'rateLimit'>): number {
  return completedLately ? record.rateLimit : coldLimit;
}

export function rateLimitOf(admission: Admission, record: Pick<KeyRecord, 'rateLimit'>): RateLimit {
  const limit = effectiveLimit(admission.completedLately, record);
  return { limit, admitted: admission.count <= limit, until: windowEnd(admission.nowMs) };
}

/** Windows are the minutes of the epoch, so every process computes the same end (D12). */
export function windowEnd(nowMs: number): Date {
  return new Date(nowMs - (nowMs % windowMs) + windowMs);
}
