/** A check: one sentence of the contract, and how an installation is tried against it. */
import { isDeepStrictEqual } from 'node:util';
import type { Kit } from './kit.ts';

/** `write`: it stores something. `staff`: it needs a staff login. */
export type Need = 'write' | 'staff';

export interface Check {
  /** Part of the contract, for --only and the reports. */
  area: string;
  /** Method and path, or what else it is about. */
  subject: string;
  /** The sentence of the contract. */
  sentence: string;
  needs: Need[];
  /** Scopes that the key must hold. */
  scopes: string[];
  run(kit: Kit): Promise<void>;
}

/** The installation breaks the sentence. */
export class Failure extends Error {}

/** The check cannot be made here, such as for want of a record. */
export class Skip extends Error {}

type Add = (subject: string, sentence: string, scopes: string[], run: Check['run']) => Check;

export interface Area {
  read: Add;
  write: Add;
  staff: Add;
  /** With both. */
  staffWrite: Add;
}

export function areaOf(area: string): Area {
  const adding =
    (...needs: Need[]): Add =>
    (subject, sentence, scopes, run) => ({ area, subject, sentence, needs, scopes, run });
  return { read: adding(), write: adding('write'), staff: adding('staff'), staffWrite: adding('staff', 'write') };
}

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
