import type { Clock } from '@store/db';
import type { KeyRecord } from '../keys/key-record.ts';
import { type Admission, type KeyGate, type Timings, timings } from './key-gate.ts';

interface Entry {
  record: KeyRecord | undefined;
  recordUntilMs: number;
  windowStartMs: number;
  count: number;
  completedAtMs: number;
}

export class InProcessGate implements KeyGate {
  readonly #entries = new Map<string, Entry>();
  readonly #tombstones = new Set<string>();
  readonly #clock: Clock;
  readonly #times: Timings;
  /** Rises with every forgotten key, one number for all: a read that any forget overtakes is not remembered, which costs one more read. */
  #version = 1;
  #sweptAtMs = 0;

  constructor(clock: Clock, times: Timings = timings) {
    this.#clock = clock;
    this.#times = times;
  }

  get size(): number {
    return this.#entries.size;
  }

  async admit(hash: string): Promise<Admission> {
    const nowMs = this.#now();
    if (this.#tombstones.has(hash)) return this.#refused(nowMs);
    const entry = this.#entries.get(hash);
    const record = entry && entry.recordUntilMs > nowMs ? entry.record : undefined;
    return this.#admission(entry, record, record ? this.#countIn(entry!, nowMs) : 0, nowMs);
  }

  async remember(hash: string, record: KeyRecord, version: number): Promise<Admission> {
    const nowMs = this.#now();
    if (record.revoked) this.#tombstones.add(hash);
    if (this.#tombstones.has(hash)) return this.#refused(nowMs);
    const entry = this.#entryOf(hash);
    const kept = version === this.#version;
    if (kept) {
      entry.record = record;
      entry.recordUntilMs = nowMs + this.#times.recordKeptMs;
    }
    return this.#admission(entry, kept ? record : undefined, this.#countIn(entry, nowMs), nowMs);
  }

  /** Counts one request of a key whose record is read from the database every time. */
  count(hash: string): Admission {
    const nowMs = this.#now();
    const entry = this.#entryOf(hash);
    return this.#admission(entry, undefined, this.#countIn(entry, nowMs), nowMs);
  }

  unknown(hash: string): Admission {
    return this.#admission(this.#entries.get(hash), undefined, 0, this.#now());
  }

  async complete(hash: string): Promise<void> {
    const nowMs = this.#now();
    this.#entryOf(hash).completedAtMs = nowMs;
  }

  async forget(hashes: string[]): Promise<void> {
    this.#version += 1;
    for (const hash of hashes) {
      const entry = this.#entries.get(hash);
      if (entry) entry.record = undefined;
    }
  }

  async revoke(hash: string): Promise<void> {
    this.#tombstones.add(hash);
  }

  async unrevoke(hash: string): Promise<void> {
    this.#tombstones.delete(hash);
  }

  async stop(): Promise<void> {
    this.#entries.clear();
  }

  #entryOf(hash: string): Entry {
    let entry = this.#entries.get(hash);
    if (!entry) {
      entry = { record: undefined, recordUntilMs: 0, windowStartMs: 0, count: 0, completedAtMs: Number.NEGATIVE_INFINITY };
      this.#entries.set(hash, entry);
    }
    return entry;
  }

  #countIn(entry: Entry, nowMs: number): number {
    const start = nowMs - (nowMs % this.#times.windowMs);
    if (entry.windowStartMs !== start) {
      entry.windowStartMs = start;
      entry.count = 0;
    }
    entry.count += 1;
    return entry.count;
  }

  #admission(entry: Entry | undefined, record: KeyRecord | undefined, count: number, nowMs: number): Admission {
    const age = nowMs - (entry?.completedAtMs ?? Number.NEGATIVE_INFINITY);
    return {
      record,
      version: this.#version,
      revoked: false,
      count,
      completedLately: age <= this.#times.completedLatelyMs,
      markStale: age >= this.#times.markFreshMs,
      nowMs,
    };
  }

  #refused(nowMs: number): Admission {
    return { record: undefined, version: 0, revoked: true, count: 0, completedLately: false, markStale: false, nowMs };
  }

  /** The time; occasionally also drops expired entries. */
  #now(): number {
    const nowMs = this.#clock.now().getTime();
    if (nowMs - this.#sweptAtMs >= this.#times.recordKeptMs) {
      this.#sweptAtMs = nowMs;
      for (const [hash, entry] of this.#entries) if (this.#isOver(entry, nowMs)) this.#entries.delete(hash);
    }
    return nowMs;
  }

  #isOver(entry: Entry, nowMs: number): boolean {
    return (
      (entry.record === undefined || entry.recordUntilMs <= nowMs) &&
      entry.windowStartMs + this.#times.windowMs <= nowMs &&
      nowMs - entry.completedAtMs > this.#times.completedLatelyMs
    );
  }
}
