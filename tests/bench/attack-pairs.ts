/** What several measurements of one attack say together. */

/** One measurement without the attack, and one during it. */
export interface Pair {
  attacker: Record<string, number>;
  integrators: Record<string, number>;
  /** The longest delay of each event loop. */
  calm: Record<string, number>;
  during: Record<string, number>;
  beforeMs: number;
  p99Ms: number;
}

/** The median of the ratios, and the longest delays of all rounds; answers are those of the last one. */
export function summary(pairs: Pair[]): object {
  const median = (of: (pair: Pair) => number) => rounded(pairs.map(of).sort((a, b) => a - b)[Math.floor(pairs.length / 2)]!);
  const longest = (of: (pair: Pair) => Record<string, number>) =>
    Object.fromEntries(Object.keys(of(pairs[0]!)).map((name) => [name, Math.max(...pairs.map((pair) => of(pair)[name]!))]));
  const { attacker, integrators } = pairs.at(-1)!;
  return {
    ...{ attacker, integrators, loopDelayMaxMs: longest(({ during }) => during) },
    withoutAttack: { loopDelayMaxMs: longest(({ calm }) => calm), p99Ms: median(({ beforeMs }) => beforeMs) },
    p99Ms: median(({ p99Ms }) => p99Ms),
    ratio: median(({ p99Ms, beforeMs }) => p99Ms / beforeMs),
    ratios: pairs.map(({ p99Ms, beforeMs }) => rounded(p99Ms / beforeMs)),
  };
}

const rounded = (value: number) => Number(value.toFixed(2));
