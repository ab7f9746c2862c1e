/** What is kept of a request with an Idempotency-Key, to know it again. */
export interface IdempotentRequest {
  storeId: number;
  /** Owner of the key, such as key:12 or user:3. */
  actor: string;
  key: string;
  /** SHA-256 of method, path and body, and behind it the same under each of the gateway's secrets, newest first. */
  hash: Uint8Array;
}

const digestBytes = 32;
/** First byte of a stored digest that is keyed; one of the version before is the bare SHA-256. */
const keyedMark = Buffer.of(1);

/** What is stored: of a keyed digest the newest key's. A gateway of the version before sends none. */
export function storedDigest(sent: Uint8Array): Uint8Array {
  return sent.length > digestBytes ? Buffer.concat([keyedMark, sent.subarray(digestBytes, 2 * digestBytes)]) : sent;
}

/** A gateway of the version before may repeat what a newer one began: that cannot be compared, and its key decides. */
export function isSame(stored: Buffer, sent: Uint8Array): boolean {
  if (stored.length !== digestBytes + keyedMark.length) return stored.subarray(0, digestBytes).equals(sent.subarray(0, digestBytes));
  if (sent.length === digestBytes) return true;
  const own = stored.subarray(keyedMark.length);
  for (let at = digestBytes; at < sent.length; at += digestBytes) if (own.equals(sent.subarray(at, at + digestBytes))) return true;
  return false;
}
