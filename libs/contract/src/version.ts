/** The version of a record: two answers that show a caller the same have the same (D285). */
import { createHash } from 'node:crypto';
import type protobuf from 'protobufjs';
import { isOnRequest } from './on-request.ts';
import { type Holds, renderMembers } from './render.ts';

/** Fields on request are part of it; what the caller may not see is not, so that no hidden value can be guessed. */
export function versionOf(response: protobuf.Type, bytes: Uint8Array, holds: Holds): string {
  const hash = createHash('sha256');
  const members = renderMembers(response, bytes, (scope) => isOnRequest(scope) || holds(scope));
  for (const [name, json] of members) hash.update(`${name}:${json}\n`);
  return hash.digest('base64url').slice(0, 22);
}
