/**
 * The key gate that every key request passes: the key's record, whether it was revoked, and its count in
 * the current minute, in one call. Two implementations (in this process, Redis) pass one suite.
 */
import type { KeyRecord } from '../keys/key-record.ts';

export interface Admission {
  /** The remembered record; undefined: not remembered, ask the database. */
  record: KeyRecord | undefined;
  /** Passed back to `remember`, which keeps nothing when the key was forgotten in between. */
  version: number;
  /** The key was revoked; wins over any record. */
  revoked: boolean;
  /** Requests of this key in this window, this one included; 0 while there is no record. */
  count: number;
  /** The key completed a request within the last five minutes (specification, Limits). */
  completedLately: boolean;
  /** The completion mark is old enough to be written again. */
  markStale: boolean;
  /** The key gate's own time, milliseconds since the epoch. */
  nowMs: number;
}

export interface KeyGate {
  /** One request of the key with this hash (hex): counted when the key is remembered and not revoked. */
  admit(hash: string): Promise<Admission>;
  /**
   * Remembers a record read from the database and counts the request that asked for it. The answer
   * holds the record only when it was kept: not after a `forget` or `revoke` since that version, and
   * never while Redis is away. The caller goes on with the record it read, unless `revoked`.
   */
  remember(hash: string, record: KeyRecord, version: number): Promise<Admission>;
  /** The key completed a request; written before the last byte of the answer leaves. */
  complete(hash: string): Promise<void>;
  /** The record may have changed: drop it. Never resurrected by a slower read. */
  forget(hashes: string[]): Promise<void>;
  /** Revoked: from the moment this resolves no admission of the key succeeds. */
  revoke(hash: string): Promise<void>;
  /** Takes a revocation back, when the revocation itself could not be committed. */
  unrevoke(hash: string): Promise<void>;
  stop(): Promise<void>;
}

export const windowMs = 60_000;
/** "once the key has completed a request within the last five minutes; before that 60 applies" */
export const completedLatelyMs = 5 * 60_000;
export const coldLimit = 60;
/** Marks younger than this are not written again: one write a second per key at most. */
export const markFreshMs = 1_000;
/** How long a record is remembered without being asked of the database again. */
export const recordKeptMs = 60_000;

/** The times above, so that the suite of all keyGates can run the same minutes in less time. */
export interface Timings {
  windowMs: number;
  completedLatelyMs: number;
  markFreshMs: number;
  recordKeptMs: number;
}

export const timings: Timings = { windowMs, completedLatelyMs, markFreshMs, recordKeptMs };
