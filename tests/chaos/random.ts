/** Seeded random numbers (mulberry32), so that a run can be repeated. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  between(min: number, max: number): number;
  pick<T>(list: readonly T[]): T;
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (min: number, max: number) => Math.floor(min + next() * (max - min + 1));
  return { next, between, pick: (list) => list[between(0, list.length - 1)]! };
}
