/**
 * Throw-away certificates for receivers on this machine: a CA that only tests trust, and server
 * certificates for names and addresses, valid or invalid in the way that a test asks for. Encoded
 * as DER by hand, because Node reads certificates but creates none and no test should need openssl.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { BlockList, isIP } from 'node:net';

/** PEM texts, in the form that node:https takes. */
export interface ServerCertificate {
  key: string;
  cert: string;
}

export interface CertificateOptions {
  /** Host names and IP addresses that the certificate is good for. */
  names: string[];
  notBefore?: Date;
  notAfter?: Date;
}

export interface ThrowAwayCa {
  /** PEM of the CA that a client must trust, for WEBHOOK_CA_FILE. */
  caPem: string;
  /** PEM of its private key, for keptCa. */
  keyPem: string;
  issue(options: CertificateOptions): ServerCertificate;
}

const dayMs = 86_400_000;

const caName = () => commonName('Throw-away test CA');

export function throwAwayCa({ notAfter }: { notAfter?: Date } = {}): ThrowAwayCa {
  const ca = newKey();
  const parts = { subject: caName(), issuer: caName(), subjectKey: ca, signer: ca, notAfter };
  return {
    caPem: pem(certificate({ ...parts, extensions: [basicConstraints(true)] })),
    keyPem: ca.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    issue: (options) => issue(options, caName(), ca),
  };
}

/** A CA that an earlier process made and kept. */
export function keptCa({ caPem, keyPem }: Pick<ThrowAwayCa, 'caPem' | 'keyPem'>): ThrowAwayCa {
  const privateKey = createPrivateKey(keyPem);
  return { caPem, keyPem, issue: (options) => issue(options, caName(), { privateKey, publicKey: createPublicKey(privateKey) }) };
}

/** A self-signed certificate, which no client should accept. */
export function selfSignedCertificate(options: CertificateOptions): ServerCertificate {
  const own = newKey();
  return issue(options, commonName(options.names[0]!), own, own);
}

function issue(
  { names, notBefore, notAfter }: CertificateOptions,
  issuer: Buffer,
  signer: KeyPair,
  subjectKey = newKey(),
): ServerCertificate {
  const extensions = [basicConstraints(false), subjectAltName(names)];
  const cert = certificate({ subject: commonName(names[0]!), issuer, subjectKey, signer, notBefore, notAfter, extensions });
  return { key: subjectKey.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: pem(cert) };
}

interface KeyPair {
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/** Through PEM: a key that is imported again can be exported in every form. */
function newKey(): KeyPair {
  const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return { publicKey: pair.publicKey, privateKey: createPrivateKey(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })) };
}

interface CertificateParts {
  subject: Buffer;
  issuer: Buffer;
  subjectKey: KeyPair;
  signer: KeyPair;
  notBefore?: Date | undefined;
  notAfter?: Date | undefined;
  extensions: Buffer[];
}

function certificate(parts: CertificateParts): Buffer {
  const algorithm = sequence(oid(1, 2, 840, 10045, 4, 3, 2));
  const serial = Buffer.concat([Buffer.of(0x01), randomBytes(15)]);
  const notBefore = parts.notBefore ?? new Date(Date.now() - dayMs);
  const notAfter = parts.notAfter ?? new Date(Date.now() + 30 * dayMs);
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, serial),
    algorithm,
    parts.issuer,
    sequence(time(notBefore), time(notAfter)),
    parts.subject,
    parts.subjectKey.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...parts.extensions)),
  );
  const signature = sign('sha256', body, parts.signer.privateKey);
  return sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.of(0), signature])));
}

function basicConstraints(isCa: boolean): Buffer {
  return sequence(oid(2, 5, 29, 19), boolean(true), der(0x04, isCa ? sequence(boolean(true)) : sequence()));
}

function subjectAltName(names: string[]): Buffer {
  const entries = names.map((name) => (isIP(name) ? der(0x87, addressBytes(name)) : der(0x82, Buffer.from(name, 'ascii'))));
  return sequence(oid(2, 5, 29, 17), der(0x04, sequence(...entries)));
}

/** Bytes of an address; of IPv6 only `::1`, which receivers on this machine have. */
function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const loopback = new BlockList();
  loopback.addAddress('::1', 'ipv6');
  if (!loopback.check(address, 'ipv6')) throw new Error(`${address}: of IPv6 only ::1 can be put into a certificate`);
  return Buffer.concat([Buffer.alloc(15), Buffer.of(1)]);
}

function commonName(text: string): Buffer {
  return sequence(der(0x31, sequence(oid(2, 5, 4, 3), der(0x0c, Buffer.from(text, 'utf8')))));
}

function time(at: Date): Buffer {
  return der(0x18, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(0, 14)}Z`, 'ascii'));
}

function oid(first: number, second: number, ...rest: number[]): Buffer {
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const groups = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return der(0x06, Buffer.from(bytes));
}

const boolean = (value: boolean) => der(0x01, Buffer.of(value ? 0xff : 0));
const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts));

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head = length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

function pem(bytes: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replace(/(.{64})(?=.)/g, '$1\n')}\n-----END CERTIFICATE-----\n`;
}
