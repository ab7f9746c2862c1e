/** A caller as it is sent between processes: its fixed part, the request's part, and the signature over both. */
import { createHash } from 'node:crypto';
import {
  type Caller,
  decodeFixedPart,
  encodeRequestPart,
  type FixedPart,
  fixedPartBytes,
  type RequestPart,
  withRequestPart,
} from './caller.ts';
import type { Signer, Verifier } from './service-keys.ts';

/** The encoded fixed part with its digest, computed once per key or session and cached. */
export interface EncodedFixedPart {
  bytes: Buffer;
  digest: Buffer;
}

export interface SignedCaller {
  fixedPart: Buffer;
  requestPart: Buffer;
  signature: Buffer;
}

export function encodeFixedPart(fixedPart: FixedPart): EncodedFixedPart {
  const bytes = fixedPartBytes(fixedPart);
  return { bytes, digest: digestOf(bytes) };
}

/** The fixed parts of verified callers as they arrived, for the calls that their verbs make. */
const arrived = new WeakMap<Caller, EncodedFixedPart>();

/** Of a caller that arrived with a call, nothing is encoded again. */
export function fixedPartOf(caller: Caller): EncodedFixedPart {
  return arrived.get(caller) ?? encodeFixedPart(caller);
}

/** Signs a caller for one rpc (its full method path) or another target. */
export function signCaller(keys: Signer, fixedPart: EncodedFixedPart, request: RequestPart, target: string): SignedCaller {
  const requestPart = encodeRequestPart(request);
  const signature = keys.sign({ fixedPartDigest: fixedPart.digest, requestPart, target });
  return { fixedPart: fixedPart.bytes, requestPart, signature };
}

/** Cache of verified fixed parts; a service sees the same few keys repeatedly. */
const known = new Map<string, { encoded: EncodedFixedPart; fixedPart: FixedPart }>();
const knownMax = 2_000;

/** The caller, if one of the keys signed it for exactly this target. Nothing is decoded before the signature is verified. */
export function openCaller(keys: Verifier, { fixedPart, requestPart, signature }: SignedCaller, target: string): Caller | undefined {
  const text = fixedPart.toString('latin1');
  const remembered = known.get(text);
  const encoded = remembered?.encoded ?? { bytes: fixedPart, digest: digestOf(fixedPart) };
  if (!keys.verify(signature, { fixedPartDigest: encoded.digest, requestPart, target })) return undefined;
  try {
    const decoded = remembered?.fixedPart ?? decodeFixedPart(fixedPart);
    if (!remembered) remember(text, { encoded, fixedPart: decoded });
    const caller = withRequestPart(decoded, requestPart);
    arrived.set(caller, encoded);
    return caller;
  } catch {
    // Validly signed but not a caller: a process of another version. It is refused like a forged one.
    return undefined;
  }
}

function remember(text: string, entry: { encoded: EncodedFixedPart; fixedPart: FixedPart }): void {
  if (known.size >= knownMax) known.clear();
  known.set(text, entry);
}

function digestOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** For targets that are not gRPC: the text of one header. */
export function headerOf({ fixedPart, requestPart, signature }: SignedCaller): string {
  return [fixedPart, requestPart, signature].map((part) => part.toString('base64url')).join('.');
}

const headerPattern = /^[\w-]+\.[\w-]*\.[\w-]+$/;

export function signedCallerOf(header: string | string[] | undefined): SignedCaller | undefined {
  if (typeof header !== 'string' || !headerPattern.test(header)) return undefined;
  const [fixedPart, requestPart, signature] = header.split('.').map((part) => Buffer.from(part, 'base64url'));
  return { fixedPart: fixedPart!, requestPart: requestPart!, signature: signature! };
}
