/** What an attack did to the others: pairs of measurements without it and beside it, and their median. */
import { median } from '../kit/load.ts';
import type { LoadResult } from './load.ts';
import { rounded } from './measure.ts';

type Counts = Record<string, number>;

/** What an attacker did, over all pairs. */
export interface Sender {
  sent: number;
  /** Answers by status; `none`: the connection ended without one. */
  statuses: Counts;
}

export function count({ statuses }: Sender, status: string): void {
  statuses[status] = (statuses[status] ?? 0) + 1;
}

type Delays = Counts;

/** Integrators without the attack, and beside it. */
export interface Pair {
  before: LoadResult;
  calm: Delays;
  beside: LoadResult;
  attacked: Delays;
}

export function figureOf(expect: string[], statuses: Counts, pairs: Pair[]) {
  const ratios = pairs.map(({ before, beside }) => rounded(beside.p99Ms / before.p99Ms));
  const p99Of = (results: LoadResult[]) => rounded(median(results.map(({ p99Ms }) => p99Ms)));
  const unexpected = Object.keys(statuses).filter((status) => !expect.includes(status));
  return {
    attacker: statuses,
    ...(unexpected.length > 0 && { unexpected }),
    integrators: summed(pairs.map(({ beside }) => beside.statuses)),
    loopDelayMaxMs: longest(pairs.map(({ attacked }) => attacked)),
    withoutAttack: { loopDelayMaxMs: longest(pairs.map(({ calm }) => calm)), p99Ms: p99Of(pairs.map(({ before }) => before)) },
    p99Ms: p99Of(pairs.map(({ beside }) => beside)),
    ratios,
    ratio: median(ratios),
  };
}

const merged = (all: Counts[], merge: (a: number, b: number) => number): Counts =>
  Object.fromEntries(
    Object.keys(Object.assign({}, ...all) as Counts).map((name) => [name, all.map((one) => one[name] ?? 0).reduce(merge)]),
  );
const summed = (all: Counts[]) => merged(all, (a, b) => a + b);
const longest = (all: Counts[]) => merged(all, (a, b) => Math.max(a, b));
