/** Seeded random numbers, so that a run can be repeated. */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export interface Random {
  /** From 0 to below 1. */
  next(): number;
  between(min: number, max: number): number;
  pick<T>(list: readonly T[]): T;
}

export function seededRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  const next = () => uniformFloat64(generator);
  const between = (min: number, max: number) => Math.floor(min + next() * (max - min + 1));
  return { next, between, pick: (list) => list[between(0, list.length - 1)]! };
}
