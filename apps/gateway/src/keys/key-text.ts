/** The text of a key (D7): prefix, 256 random bits in base62, checksum. Scanners find it, and an invalid one needs no lookup. */
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { parseSecrets } from '@store/db';

export const keyPrefix = 'sk_store_';
const secretBytes = 32;
const secretChars = 43;
const checksumChars = 6;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Published for secret scanners: prefix, 43 characters of secret, 6 of checksum. */
export const keyPattern = /^sk_store_[0-9A-Za-z]{49}$/;

/** A new key. Its text is shown once and cannot be derived from stored data. */
export function newKey(): string {
  const body = keyPrefix + base62(BigInt(`0x${randomBytes(secretBytes).toString('hex')}`), secretChars);
  return body + checksum(body);
}

/** The key when the text matches the pattern and its checksum; otherwise undefined, without any call. */
export function parseKey(text: string): string | undefined {
  if (!keyPattern.test(text)) return undefined;
  const body = text.slice(0, -checksumChars);
  return text === body + checksum(body) ? text : undefined;
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), checksumChars);
}

function base62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; rest > 0n; rest /= 62n) digits = alphabet[Number(rest % 62n)] + digits;
  return digits.padStart(length, '0');
}

/** A secret outside the database: without it a stolen table of hashes is useless. */
export interface Pepper {
  id: number;
  secret: Buffer;
}

const pepperBytesMin = 32;

/** Reads `2:base64,1:base64`, newest first. Throws a sentence when one is shorter than 32 bytes. */
export function parsePeppers(text: string): Pepper[] {
  const peppers = parseSecrets(text);
  for (const { id, secret } of peppers) {
    if (secret.length < pepperBytesMin) throw new Error(`pepper ${id} must be at least ${pepperBytesMin} bytes in base64`);
  }
  return peppers;
}

/** HMAC-SHA256(pepper, key): 256 bits cannot be guessed at any speed, so a slow hash would only help to overload the gateway. */
export function hashKey(pepper: Pepper, key: string): Buffer {
  return createHmac('sha256', secretKeyOf(pepper.secret)).update(key).digest();
}

const secretKeys = new WeakMap<Buffer, KeyObject>();

/** Node converts a Buffer for every HMAC, which costs seven times the HMAC itself. */
function secretKeyOf(secret: Buffer): KeyObject {
  let key = secretKeys.get(secret);
  if (!key) {
    key = createSecretKey(secret);
    secretKeys.set(secret, key);
  }
  return key;
}

export interface KeyHash {
  pepperId: number;
  hash: Buffer;
}

export function keyHashes(peppers: Pepper[], key: string): KeyHash[] {
  return peppers.map((pepper) => ({ pepperId: pepper.id, hash: hashKey(pepper, key) }));
}
