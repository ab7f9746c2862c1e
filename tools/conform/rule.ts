/** A rule: one sentence of the contract, and how an installation is tried against it. */
import { isDeepStrictEqual } from 'node:util';
import type { Site } from './site.ts';

export interface Rule {
  /** Part of the contract, for --only and the reports. */
  area: string;
  /** Method and path, or what else it is about. */
  subject: string;
  /** The sentence of the contract. */
  sentence: string;
  /** `staff`: it makes keys. `write`: it sends writes, all of which must be refused. */
  needs?: 'staff' | 'write';
  /** Scopes that the key must hold. */
  scopes?: string[];
  run(site: Site): Promise<void>;
}

/** The installation breaks the sentence. */
export class Failure extends Error {}

/** The rule cannot be tried here, such as for want of a record. */
export class Skip extends Error {}

/** The run cannot go on: its bounds are used up, or the installation does not answer. */
export class Stop extends Error {}

export function same(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) throw new Failure(`${what} is ${shown(actual)}, not ${shown(expected)}`);
}

const shownMax = 300;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
}
