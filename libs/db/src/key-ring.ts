/**
 * Encryption at rest: AES-256-GCM as `v1|key_id|iv|ciphertext|tag`. The associated data binds a text to its row: copied to another row it
 * fails to decrypt, like a changed byte.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export interface KeyRing {
  /** Ids of its keys, newest first. */
  readonly ids: readonly number[];
  seal(plain: Uint8Array, associated: string): string;
  /** Decrypts under the key that sealed it; throws when anything was changed. */
  open(sealed: string, associated: string): Buffer;
}

const version = 'v1';
const keyBytes = 32;
/** 96 random bits: safe for 2^32 texts per key. */
const ivBytes = 12;
const tagBytes = 16;

/** Reads `id:base64,id:base64`, newest first. Throws a sentence when a key is missing or not 32 bytes. */
export function parseKeyRing(text: string): KeyRing {
  const keys = parseSecrets(text);
  for (const { id, secret } of keys) if (secret.length !== keyBytes) throw new Error(`key ${id} must be ${keyBytes} bytes in base64`);
  const [newest] = keys;
  const byId = new Map(keys.map(({ id, secret }) => [id, secret]));
  return {
    ids: keys.map(({ id }) => id),
    seal: (plain, associated) => {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', newest!.secret, iv).setAAD(Buffer.from(associated));
      const hidden = Buffer.concat([cipher.update(plain), cipher.final()]);
      return [version, newest!.id, ...[iv, hidden, cipher.getAuthTag()].map((part) => part.toString('base64'))].join('|');
    },
    open: (sealed, associated) => {
      const [format, id, iv, hidden, tag, ...rest] = sealed.split('|');
      const secret = byId.get(Number(id));
      if (format !== version || String(Number(id)) !== id || rest.length > 0) throw new Error('not a sealed text of this version');
      if (!secret) throw new Error(`the key ring has no key ${id}`);
      const decipher = createDecipheriv('aes-256-gcm', secret, strictBase64(iv), { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(associated)).setAuthTag(strictBase64(tag));
      return Buffer.concat([decipher.update(strictBase64(hidden)), decipher.final()]);
    },
  };
}

export function parseSecrets(text: string): { id: number; secret: Buffer }[] {
  const entries = text.split(',').map((entry) => {
    const match = /^\s*(\d{1,9}):([A-Za-z0-9+/_-]+={0,2})\s*$/.exec(entry);
    if (!match) throw new Error('must be id:base64 pairs separated by commas, newest first');
    return { id: Number(match[1]), secret: Buffer.from(match[2]!, 'base64') };
  });
  if (new Set(entries.map(({ id }) => id)).size !== entries.length) throw new Error('names an id twice');
  return entries;
}

/** Node's decoder accepts stray characters, and a changed byte must never be accepted. */
function strictBase64(text: string | undefined): Buffer {
  const bytes = Buffer.from(text ?? '', 'base64');
  if (bytes.toString('base64') !== text) throw new Error('a part of the sealed text is not base64');
  return bytes;
}
