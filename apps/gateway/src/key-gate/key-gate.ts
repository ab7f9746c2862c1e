/**
 * The key gate, which checks every key request: the key's record, whether it was revoked, and its count in
 * the current minute, in one call. Two implementations (in this process, Redis) pass one suite.
 */
import type { KeyRecord } from '../keys/key-record.ts';

export interface Admission {
  /** The remembered record; undefined: not remembered, read the database. */
  record: KeyRecord | undefined;
  /** Passed back to `remember`, which stores nothing when the key was forgotten meanwhile. */
  version: number;
  /** The key was revoked; wins over any record. */
  revoked: boolean;
  /** Requests of this key in this window, this one included; 0 while there is no record. */
  count: number;
  /** The key completed a request within the last five minutes (specification, Limits). */
  completedLately: boolean;
  /** The completion mark is old enough to be rewritten. */
  markStale: boolean;
  /** The key gate's own time, milliseconds since the epoch. */
  nowMs: number;
}

export interface KeyGate {
  /**
   * One request of the key with this hash (hex): counted when the key is remembered and not revoked. `mayRead`: its record may be read
   * from the database and remembered; otherwise nothing is written for a key that is not remembered.
   */
  admit(hash: string, mayRead?: boolean): Promise<Admission>;
  /**
   * Remembers a record read from the database and counts the request that needed it. The answer
   * contains the record only if it was stored: not after a `forget` or `revoke` since that version, and
   * never while Redis is down. The caller continues with the record it read, unless `revoked`.
   */
  remember(hash: string, record: KeyRecord, version: number): Promise<Admission>;
  /** The key completed a request; written before the last byte of the answer is sent. */
  complete(hash: string): Promise<void>;
  /** The record may have changed: drop it. A slower read never restores it. */
  forget(hashes: string[]): Promise<void>;
  /** Revokes: once this resolves, no admission of the key succeeds. */
  revoke(hash: string): Promise<void>;
  /** Withdraws a revocation that could not be committed. */
  unrevoke(hash: string): Promise<void>;
  stop(): Promise<void>;
}

export const windowMs = 60_000;
/** "once the key has completed a request within the last five minutes; before that 60 applies" */
export const completedLatelyMs = 5 * 60_000;
export const coldLimit = 60;
/** Younger marks are not rewritten: at most one write a second per key. */
export const markFreshMs = 1_000;
/** How long a record is used before it is read from the database again. */
export const recordKeptMs = 60_000;

/** The durations above, so that the suite can run shorter minutes. */
export interface Timings {
  windowMs: number;
  completedLatelyMs: number;
  markFreshMs: number;
  recordKeptMs: number;
}

export const timings: Timings = { windowMs, completedLatelyMs, markFreshMs, recordKeptMs };
