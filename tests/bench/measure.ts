/** Requests that are measured beside each other: every round runs all in turn, so that a slow minute of the machine affects all of them. */
import { cpuMs, difference } from '../kit/usage.ts';
import { type LoadResult, load, type WireRequest } from './load.ts';

export interface Target {
  name: string;
  port: number;
  /** The n-th request. */
  request(n: number): WireRequest;
  /** Those whose CPU time it takes. */
  processes: Record<string, number>;
  /** Statuses that count as expected answers; 200 when absent. */
  expect?: string[];
  /** Rows per request, where it is measured in rows. */
  rows?: number | undefined;
}

/** A target's result and its CPU cost. */
export interface Measured extends LoadResult {
  name: string;
  connections: number;
  /** CPU milliseconds per request by process. */
  cpu: Record<string, number>;
  cpuTotal: number;
  unexpected: number;
  rows?: number | undefined;
}

export interface How {
  seconds: number;
  rounds: number;
  connections: number;
  say(line: string): void;
}

/** Where the next run of a target continues, so that no sku is created twice. */
const sentSoFar = new Map<string, number>();

/** The median of the rounds by target; a short first round warms up. */
export async function measure(targets: Target[], { seconds, rounds, connections, say }: How): Promise<Map<string, Measured>> {
  const runs = new Map<string, Measured[]>();
  for (let round = 0; round <= rounds; round++) {
    for (const target of targets) {
      const { name, port, processes, expect = ['200'], rows } = target;
      say(`round ${round}, ${connections} connections: ${name}`);
      const start = sentSoFar.get(name) ?? 0;
      const request = (n: number) => {
        sentSoFar.set(name, start + n + 1);
        return target.request(start + n);
      };
      const before = cpuMs(processes);
      const result = await load({ host: '127.0.0.1', port, connections, seconds: round === 0 ? 1 : seconds, request });
      const used = Object.entries(difference(before, cpuMs(processes)));
      const unexpected = Object.entries(result.statuses).reduce((sum, [status, n]) => sum + (expect.includes(status) ? 0 : n), 0);
      if (unexpected > 0) say(`${unexpected} answers were not ${expect.join(' or ')}: ${JSON.stringify(result.statuses)}`);
      const cpu = Object.fromEntries(used.map(([process, ms]) => [process, ms / result.requests]));
      const cpuTotal = Object.values(cpu).reduce((sum, ms) => sum + ms, 0);
      if (round > 0) runs.set(name, [...(runs.get(name) ?? []), { name, connections, ...result, cpu, cpuTotal, unexpected, rows }]);
    }
  }
  const middle = (list: Measured[]) => list.sort((a, b) => a.perSecond - b.perSecond)[Math.floor(list.length / 2)]!;
  return new Map([...runs].map(([name, list]) => [name, middle(list)]));
}

export const rounded = (value: number): number => Number(value.toFixed(2));

/** A figure as it is noted. */
export function shown({ perSecond, p50Ms, p99Ms, cpuTotal, requests }: Measured): object {
  return { perSecond: rounded(perSecond), p50Ms: rounded(p50Ms), p99Ms: rounded(p99Ms), cpuMsPerRequest: rounded(cpuTotal), requests };
}
