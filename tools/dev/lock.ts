/**
 * Checks that `npm ci` accepts package-lock.json everywhere: complete for every platform (npm refuses a lock that
 * lacks an optional package, and writes such a lock where a registry does not have the package), a hash for each package,
 * and no registry but the public one, which npm replaces by its user's own.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Entry {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

export interface Lock {
  packages: Record<string, Entry>;
}

const publicRegistry = 'https://registry.npmjs.org/';
const strongHash = /^sha512-[A-Za-z0-9+/]{86}==$/;

/** A sentence per fault of the committed lock file. */
export function committedLockFaults(root: string): string[] {
  return lockFaults(JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lock);
}

export function lockFaults({ packages }: Lock): string[] {
  const faults: string[] = [];
  for (const [place, entry] of Object.entries(packages)) {
    for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) {
      if (placeOf(packages, place, name) === undefined)
        faults.push(`${place || 'package.json'} needs ${name}, which package-lock.json lacks`);
    }
    if (entry.link || !place.includes('node_modules/')) continue;
    if (!strongHash.test(entry.integrity ?? '')) faults.push(`${place} has no sha512 in package-lock.json`);
    if (entry.resolved !== undefined && !entry.resolved.startsWith(publicRegistry))
      faults.push(`${place} comes from ${entry.resolved}, which others may not reach`);
  }
  return faults;
}

/** Resolves as Node does: beside the package that imports, then in each folder above it. */
export function placeOf(packages: Lock['packages'], place: string, name: string): string | undefined {
  const parts = place.split('/');
  return parts
    .concat('')
    .map((_, above) => [...parts.slice(0, parts.length - above), 'node_modules', name].filter((part) => part !== '').join('/'))
    .find((candidate) => packages[candidate] !== undefined);
}
