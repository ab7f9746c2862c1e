/**
 * Throw-away certificates for receivers on this machine: a CA that only tests trust, and server certificates for names and
 * addresses, valid or invalid in the way that a test asks for. Node reads certificates but creates none.
 */
import { createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import * as x509 from '@peculiar/asn1-x509';

/** PEM texts, in the form that node:https takes. */
interface ServerCertificate {
  key: string;
  cert: string;
}

interface CertificateOptions {
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
const caName = 'Throw-away test CA';

export function throwAwayCa({ notAfter }: { notAfter?: Date } = {}): ThrowAwayCa {
  const keyPem = newKey();
  const parts = { subject: caName, issuer: caName, subjectKey: keyPem, signer: keyPem, notAfter };
  return keptCa({ keyPem, caPem: certificate({ ...parts, extensions: [basicConstraints(true)] }) });
}

/** A CA that an earlier process made and kept. */
export function keptCa({ caPem, keyPem }: Pick<ThrowAwayCa, 'caPem' | 'keyPem'>): ThrowAwayCa {
  return { caPem, keyPem, issue: (options) => issue(options, caName, keyPem) };
}

/** A self-signed certificate, which no client should accept. */
export function selfSignedCertificate(options: CertificateOptions): ServerCertificate {
  const own = newKey();
  return issue(options, options.names[0]!, own, own);
}

function issue({ names, ...times }: CertificateOptions, issuer: string, signer: string, key = newKey()): ServerCertificate {
  const extensions = [basicConstraints(false), subjectAltName(names)];
  return { key, cert: certificate({ subject: names[0]!, issuer, subjectKey: key, signer, ...times, extensions }) };
}

/** A private key as PEM, which all functions of node:crypto take. */
function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return privateKey;
}

interface CertificateParts {
  subject: string;
  issuer: string;
  subjectKey: string;
  signer: string;
  notBefore?: Date | undefined;
  notAfter?: Date | undefined;
  extensions: x509.Extension[];
}

const ecdsaWithSha256 = '1.2.840.10045.4.3.2';
const idCommonName = '2.5.4.3';

function certificate({ subject, issuer, subjectKey, signer, notBefore, notAfter, extensions }: CertificateParts): string {
  const signatureAlgorithm = new x509.AlgorithmIdentifier({ algorithm: ecdsaWithSha256 });
  const publicKey = createPublicKey(subjectKey).export({ type: 'spki', format: 'der' });
  const tbsCertificate = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: bytesOf(Buffer.concat([Buffer.of(1), randomBytes(15)])),
    signature: signatureAlgorithm,
    issuer: commonName(issuer),
    validity: new x509.Validity({
      notBefore: notBefore ?? new Date(Date.now() - dayMs),
      notAfter: notAfter ?? new Date(Date.now() + 30 * dayMs),
    }),
    subject: commonName(subject),
    subjectPublicKeyInfo: AsnConvert.parse(publicKey, x509.SubjectPublicKeyInfo),
    extensions: new x509.Extensions(extensions),
  });
  const signatureValue = bytesOf(sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), signer));
  const der = AsnConvert.serialize(new x509.Certificate({ tbsCertificate, signatureAlgorithm, signatureValue }));
  const lines = Buffer.from(der)
    .toString('base64')
    .replace(/(.{64})(?=.)/g, '$1\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

const basicConstraints = (cA: boolean) => extension(x509.id_ce_basicConstraints, true, new x509.BasicConstraints({ cA }));

function subjectAltName(names: string[]): x509.Extension {
  const entries = names.map((name) => new x509.GeneralName(isIP(name) ? { iPAddress: name } : { dNSName: name }));
  return extension(x509.id_ce_subjectAltName, false, new x509.SubjectAlternativeName(entries));
}

function extension(extnID: string, critical: boolean, value: object): x509.Extension {
  return new x509.Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

function commonName(text: string): x509.Name {
  const value = new x509.AttributeValue({ utf8String: text });
  return new x509.Name([new x509.RelativeDistinguishedName([new x509.AttributeTypeAndValue({ type: idCommonName, value })])]);
}

const bytesOf = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer;
