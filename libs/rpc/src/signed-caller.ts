/** A caller as it is sent between processes: its constant part, the request's part, and the signature over both. */
import { createHash } from 'node:crypto';
import {
  type Caller,
  decodeStanding,
  encodeRequestPart,
  encodeStandingPart,
  type RequestPart,
  type Standing,
  withRequestPart,
} from './caller.ts';
import type { Signer, Verifier } from './service-keys.ts';

/** The encoded constant part with its digest, computed once per key or session and cached. */
export interface EncodedStanding {
  bytes: Buffer;
  digest: Buffer;
}

export interface SignedCaller {
  standing: Buffer;
  requestPart: Buffer;
  signature: Buffer;
}

export function encodeStanding(standing: Standing): EncodedStanding {
  const bytes = encodeStandingPart(standing);
  return { bytes, digest: digestOf(bytes) };
}

/** The constant parts of verified callers as they arrived, for the calls that their verbs make. */
const arrived = new WeakMap<Caller, EncodedStanding>();

/** Of a caller that arrived with a call, nothing is encoded again. */
export function standingOf(caller: Caller): EncodedStanding {
  return arrived.get(caller) ?? encodeStanding(caller);
}

/** Signs a caller for one rpc (its full method path) or another target. */
export function signCaller(keys: Signer, standing: EncodedStanding, request: RequestPart, target: string): SignedCaller {
  const requestPart = encodeRequestPart(request);
  const signature = keys.sign({ standingDigest: standing.digest, requestPart, target });
  return { standing: standing.bytes, requestPart, signature };
}

/** Cache of verified constant parts; a service sees the same few keys repeatedly. */
const known = new Map<string, { encoded: EncodedStanding; standing: Standing }>();
const knownMax = 2_000;

/** The caller, if one of the keys signed it for exactly this target. Nothing is decoded before the signature is verified. */
export function openCaller(keys: Verifier, { standing, requestPart, signature }: SignedCaller, target: string): Caller | undefined {
  const text = standing.toString('latin1');
  const remembered = known.get(text);
  const encoded = remembered?.encoded ?? { bytes: standing, digest: digestOf(standing) };
  if (!keys.verify(signature, { standingDigest: encoded.digest, requestPart, target })) return undefined;
  try {
    const decoded = remembered?.standing ?? decodeStanding(standing);
    if (!remembered) remember(text, { encoded, standing: decoded });
    const caller = withRequestPart(decoded, requestPart);
    arrived.set(caller, encoded);
    return caller;
  } catch {
    // Validly signed but not a caller: a process of another version. It is refused like a forged one.
    return undefined;
  }
}

function remember(text: string, entry: { encoded: EncodedStanding; standing: Standing }): void {
  if (known.size >= knownMax) known.clear();
  known.set(text, entry);
}

function digestOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** For targets that are not gRPC: the text of one header. */
export function headerOf({ standing, requestPart, signature }: SignedCaller): string {
  return [standing, requestPart, signature].map((part) => part.toString('base64url')).join('.');
}

const headerPattern = /^[\w-]+\.[\w-]*\.[\w-]+$/;

export function signedCallerOf(header: string | string[] | undefined): SignedCaller | undefined {
  if (typeof header !== 'string' || !headerPattern.test(header)) return undefined;
  const [standing, requestPart, signature] = header.split('.').map((part) => Buffer.from(part, 'base64url'));
  return { standing: standing!, requestPart: requestPart!, signature: signature! };
}
