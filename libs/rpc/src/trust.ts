/** Trust between processes: keys that sign callers, and certificates where the connection is encrypted too. */
import { type ChannelCredentials, credentials, type Metadata, ServerCredentials } from '@grpc/grpc-js';
import type { Signer, Verifier } from './service-keys.ts';
import type { SignedCaller } from './signed-caller.ts';

/** At a door: whose calls are accepted. */
export interface Trust {
  keys: Verifier;
  tls?: Tls | undefined;
}

/** Towards one called app: the keys that sign the calls to it. */
export interface PeerTrust {
  keys: Signer;
  tls?: Tls | undefined;
}

/** PEM texts. Both ends present a certificate of the same authority, and refuse a peer without one. */
export interface Tls {
  cert: Buffer;
  key: Buffer;
  ca: Buffer;
}

export function serverCredentials(tls: Tls | undefined): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure();
  return ServerCredentials.createSsl(tls.ca, [{ private_key: tls.key, cert_chain: tls.cert }], true);
}

export function channelCredentials(tls: Tls | undefined): ChannelCredentials {
  return tls ? credentials.createSsl(tls.ca, tls.key, tls.cert) : credentials.createInsecure();
}

const fixedPartHeader = 'caller-bin';
const requestHeader = 'request-bin';
const signatureHeader = 'signature-bin';

export function setCaller(metadata: Metadata, caller: SignedCaller): void {
  // The fixed part is the same for every request of a key, so HPACK sends it as one index.
  metadata.set(fixedPartHeader, caller.fixedPart);
  metadata.set(requestHeader, caller.requestPart);
  metadata.set(signatureHeader, caller.signature);
}

/** The unverified parts from the metadata; undefined when a part is missing or repeated. */
export function callerIn(metadata: Metadata): SignedCaller | undefined {
  const fixedPart = only(metadata, fixedPartHeader);
  const requestPart = only(metadata, requestHeader);
  const signature = only(metadata, signatureHeader);
  return fixedPart && requestPart && signature && { fixedPart, requestPart, signature };
}

function only(metadata: Metadata, header: string): Buffer | undefined {
  const values = metadata.get(header);
  const [value] = values;
  return values.length === 1 && Buffer.isBuffer(value) ? value : undefined;
}
