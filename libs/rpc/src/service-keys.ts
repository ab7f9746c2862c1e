/**
 * Signatures of callers (D198): a service accepts a call only with one. HMAC-SHA256 over the caller, the one
 * rpc or path that it is for, and an expiry, under the newest key of a ring. Every key of the ring verifies, so keys can be
 * rotated while both are in use. Each pair of a calling and a called app has a ring of its own, which only these two know: so an
 * app signs only as itself, and what it was sent is of no use towards a third.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

export interface ServiceSecret {
  id: number;
  secret: Buffer;
}

interface Signable {
  /** SHA-256 of the fixed part: computed once per key or session, not once per call. */
  fixedPartDigest: Buffer;
  requestPart: Uint8Array;
  /** Full method path of the rpc, or the name of another target. */
  target: string;
}

export interface Signer {
  sign(what: Signable): Buffer;
}

export interface Verifier {
  verify(signature: Buffer, what: Signable): boolean;
}

export interface Pair {
  caller: string;
  called: string;
}

/** Longer than the longest deadline of a call; checked when the call arrives. */
export const signatureValidMs = 60_000;
/** Two processes follow the server's clock, read every 30 s; this is how far they may drift between readings. */
export const clockSkewMaxMs = 5_000;

/** key id (4 bytes) | expiry in ms (6) | HMAC (32) | name of the calling app */
const idBytes = 4;
const expiryBytes = 6;
const headBytes = idBytes + expiryBytes;
const macBytes = 32;
const macEnd = headBytes + macBytes;
const digestBytes = 32;
const lengthBytes = 2;

interface RingOptions {
  /** Absent: the ring of SERVICE_KEYS, whose signatures name nobody. */
  pair?: Pair;
  /** Verifies what this ring did not sign. */
  earlier?: ServiceKeys | undefined;
}

export class ServiceKeys implements Signer, Verifier {
  readonly #newest: { id: number; key: KeyObject };
  readonly #byId: Map<number, KeyObject>;
  readonly #clock: { now(): Date };
  readonly #caller: Buffer;
  readonly #earlier: ServiceKeys | undefined;

  /** Newest first. */
  constructor(secrets: ServiceSecret[], clock: { now(): Date }, { pair, earlier }: RingOptions = {}) {
    const keys = secrets.map(({ id, secret }) => ({ id, key: createSecretKey(pair ? derived(secret, pair) : secret) }));
    if (keys.length === 0) throw new Error('a ring needs a key');
    this.#newest = keys[0]!;
    this.#byId = new Map(keys.map(({ id, key }) => [id, key]));
    this.#clock = clock;
    this.#caller = Buffer.from(pair?.caller ?? '');
    this.#earlier = earlier;
  }

  sign(what: Signable): Buffer {
    const { id, key } = this.#newest;
    const head = Buffer.allocUnsafe(headBytes);
    head.writeUInt32BE(id, 0);
    head.writeUIntBE(this.#clock.now().getTime() + signatureValidMs, idBytes, expiryBytes);
    return Buffer.concat([head, mac(key, head, what), this.#caller], macEnd + this.#caller.length);
  }

  /** A signature over a fact that never changes: without an expiry, so that it verifies whenever it arrives. */
  attest(fact: string): string {
    const { id, key } = this.#newest;
    return `${id}.${factMac(key, fact).toString('base64url')}`;
  }

  /** Whether a key of the ring signed exactly this fact. */
  isAttested(fact: string, word: unknown): boolean {
    const [, id, given] = typeof word === 'string' ? (wordFormat.exec(word) ?? []) : [];
    const key = this.#byId.get(Number(id));
    const is = key !== undefined && given !== undefined && timingSafeEqual(factMac(key, fact), Buffer.from(given, 'base64url'));
    return is || (this.#earlier?.isAttested(fact, word) ?? false);
  }

  verify(signature: Buffer, what: Signable): boolean {
    if (!this.#caller.equals(signature.subarray(macEnd))) return this.#earlier?.verify(signature, what) ?? false;
    if (signature.length < macEnd) return false;
    const key = this.#byId.get(signature.readUInt32BE(0));
    if (!key) return false;
    const head = signature.subarray(0, headBytes);
    if (!timingSafeEqual(mac(key, head, what), signature.subarray(headBytes, macEnd))) return false;
    return this.#clock.now().getTime() <= head.readUIntBE(idBytes, expiryBytes) + clockSkewMaxMs;
  }
}

/** Bound to the pair, so that a secret given to two pairs by mistake still makes two keys. */
function derived(secret: Buffer, { caller, called }: Pair): Buffer {
  return createHmac('sha256', secret).update(`${caller}>${called}`).digest();
}

const wordFormat = /^(\d{1,9})\.([\w-]{43})$/;

/** `fact` in the place of a key id would be above 999,999,999, which no id reaches: the bytes of a call never begin like this. */
function factMac(key: KeyObject, fact: string): Buffer {
  return createHmac('sha256', key).update(`fact\n${fact}`).digest();
}

/** All parts but the last have a fixed or a stated length, so that two different inputs never give the same bytes. */
function mac(key: KeyObject, head: Buffer, { fixedPartDigest, requestPart, target }: Signable): Buffer {
  const targetAt = headBytes + digestBytes + lengthBytes;
  const targetBytes = Buffer.byteLength(target);
  const bytes = Buffer.allocUnsafe(targetAt + targetBytes + requestPart.length);
  bytes.set(head, 0);
  bytes.set(fixedPartDigest, headBytes);
  bytes.writeUInt16BE(targetBytes, headBytes + digestBytes);
  bytes.write(target, targetAt);
  bytes.set(requestPart, targetAt + targetBytes);
  return createHmac('sha256', key).update(bytes).digest();
}
