/** The version of a record: two answers that show a caller the same have the same (D285). */
import { createHash } from 'node:crypto';
import type { Member } from './render.ts';

/** What the caller may not see is no part of it, so that no hidden value can be guessed from it. */
export function versionOf(members: Member[]): string {
  const hash = createHash('sha256');
  for (const [name, json] of members) hash.update(`${name}:${json}\n`);
  return hash.digest('base64url').slice(0, 22);
}
