/** What a check ends with, and the claims that it makes. */
import { isDeepStrictEqual } from 'node:util';

/** The installation breaks the sentence. */
export class Failure extends Error {}

/** The check cannot be made here, such as for want of a record. */
export class Skip extends Error {}

export function same(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) throw new Failure(`${what} is ${shown(actual)}, not ${shown(expected)}`);
}

export function holds(claim: boolean, otherwise: string): asserts claim {
  if (!claim) throw new Failure(otherwise);
}

const shownMax = 300;

export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
}

/** Whether one text is not after the other by code point, as lists sort names. */
export function before(one: string, other: string): boolean {
  return Buffer.compare(Buffer.from(one), Buffer.from(other)) <= 0;
}
