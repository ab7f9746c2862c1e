/** A check: one sentence of the contract, and how an installation is tried against it. */
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
