/** The key under which one write is sent, however often; it says when it was made. */

/** The store knows a key for a day; what is sent under an older one would be recorded a second time. */
const knownMs = 23 * 3_600_000;

/** randomUUID exists only on secure origins; this works on all. */
export function newIdempotencyKey(): string {
  const random = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${Date.now()}-${random}`;
}

/** A clock that was set right meanwhile makes it older than it is. Of a key without a time nothing is known. */
export function isForgotten(key: string): boolean {
  const [, madeAt] = /^(\d{13})-/.exec(key) ?? [];
  return madeAt !== undefined && Math.abs(Date.now() - Number(madeAt)) > knownMs;
}
