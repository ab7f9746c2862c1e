/**
 * For whom this process works. An asker is carried along with the asynchronous work of one call, so that what is limited is taken in
 * its name (D256), and its work ends once its client has gone (D257). Work outside any call is the background.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Pace } from './pace.ts';
import type { Holder, Shares } from './shares.ts';

/** All callers of whom no store is known. */
export const anonymous = 'anonymous';
const background = 'background';
/** Stores that call another process. */
const elsewhere = 'elsewhere';

export class Asker {
  /** The store, once it is known. */
  holder: Holder;
  /** Milliseconds since the epoch, once it is known. */
  deadlineMs: number;
  readonly #sinceMs = Date.now();
  #isGone = false;
  #isAnswered = false;
  readonly #whenGone = new Set<() => void>();

  constructor(holder: Holder, deadlineMs = Number.POSITIVE_INFINITY) {
    this.holder = holder;
    this.deadlineMs = deadlineMs;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** Half of the time until its deadline has passed. */
  get isHalfway(): boolean {
    return Date.now() - this.#sinceMs >= this.deadlineMs - Date.now();
  }

  /** The client has gone or the deadline has passed. */
  leave(): void {
    if (this.#isGone || this.#isAnswered) return;
    this.#isGone = true;
    for (const end of this.#whenGone) end();
  }

  /** The call has ended; work that it started goes on in the background. */
  answered(): void {
    this.#isAnswered = true;
  }

  /** Has `end` called if the asker leaves; returns what takes that back. */
  whenGone(end: () => void): () => void {
    this.#whenGone.add(end);
    return () => this.#whenGone.delete(end);
  }
}

/** The reason with which work of a gone asker ends. */
export class NobodyWaits extends Error {
  constructor() {
    super('the caller has gone or its deadline has passed');
  }
}

const current = new AsyncLocalStorage<Asker | undefined>();
/** Of this process, as its event loop is what stores share. */
const pace = new Pace();

/** Runs `work` in the name of `asker`. */
export async function askedBy<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
  if (asker.holder !== anonymous) pace.called(asker.holder);
  try {
    return await current.run(asker, work);
  } finally {
    asker.answered();
  }
}

/** In whose name this runs; undefined: in the background. */
export function presentAsker(): Asker | undefined {
  const asker = current.getStore();
  return asker?.isAnswered ? undefined : asker;
}

export function presentHolder(): Holder {
  return presentAsker()?.holder ?? background;
}

/** What is limited is taken in the name of this store from here on. */
export function askForStore(storeId: number): void {
  const asker = presentAsker();
  if (!asker) return;
  asker.holder = storeId;
  pace.called(storeId);
}

/**
 * Runs a slice of the present asker's long work in its turn (pace.ts); work in the background is not paced here. A call that is halfway to
 * its deadline goes on at once: pauses for others are no reason to miss it. `costs`: as in pace.ts.
 */
export function paced<T>(work: () => T | Promise<T>, costs = 1): T | Promise<T> {
  const asker = presentAsker();
  if (asker?.isGone) throw new NobodyWaits();
  if (!asker || asker.isHalfway) return work();
  const { promise: left, reject } = Promise.withResolvers<never>();
  const forget = asker.whenGone(() => reject(new NobodyWaits()));
  const slice = pace.slice(asker.holder, () => (asker.isGone ? left : work()), costs);
  return Promise.race([slice, left]).finally(forget);
}

/** Records of a store written before other stores have their turn. */
const sliceMax = 100;
/** The same while other stores call: their next answer waits for the event loop that renders a slice's events. */
const sliceBesideMax = 25;
/** The events of written records are published, audited and handed on to consumers, for as much as the writing itself took. */
const writtenCosts = 2;

/**
 * Does the present asker's work on many records slice by slice, on few at once. Locks are taken before: a slice that waits for one holds
 * back the store's slices behind it, those of the call that has the lock too. `work` does not call this for more than a slice itself.
 */
export async function pacedEach<T>(records: T[], work: (slice: T[]) => Promise<unknown>): Promise<void> {
  const isLong = records.length > sliceMax;
  const asker = presentAsker();
  for (let from = 0; from < records.length; ) {
    const slice = records.slice(from, from + (isLong && asker && othersCall(asker.holder) ? sliceBesideMax : sliceMax));
    from += slice.length;
    await (isLong ? paced(() => work(slice), writtenCosts) : work(slice));
  }
}

/** Other stores call another process of this system now. */
export const noteOthers = (): void => pace.called(elsewhere);

/** Whether another store than this calls this process (pace.ts). */
export const othersCall = (holder: Holder): boolean => pace.othersCall(holder);

/** Milliseconds that a store's next long work waits after one that took so long; at most `maxMs`. */
export const pauseAfter = (holder: Holder, tookMs: number, maxMs: number): number => pace.pauseAfter(holder, tookMs, maxMs);

/** Runs work that must not end with the present asker: it is shared, or it undoes something. */
export function inBackground<T>(work: () => T): T {
  return current.run(undefined, work);
}

/** Node fires a longer timer at once. */
const timerMaxMs = 2 ** 31 - 1;

/** It was not its holder's turn in time. */
export class TurnTimeout extends Error {}

/** Takes from `shares`, in the name of the present asker, and resolves to its holder; waits until then, and while the asker does. */
export async function takeTurn(shares: Shares, untilMs: number, amount = 1): Promise<Holder> {
  const asker = presentAsker();
  const holder = presentHolder();
  if (asker?.isGone) throw new NobodyWaits();
  if (shares.takeFree(holder, amount)) return holder;
  const stop = new AbortController();
  const late = () => stop.abort(new TurnTimeout('it was not its turn in time'));
  const timer = setTimeout(late, Math.min(Math.max(0, untilMs - Date.now()), timerMaxMs));
  const forget = asker?.whenGone(() => stop.abort(new NobodyWaits()));
  try {
    await shares.take(holder, amount, stop.signal);
    return holder;
  } finally {
    clearTimeout(timer);
    forget?.();
  }
}
