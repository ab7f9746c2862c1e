/**
 * A key's record as text for Redis, with a MAC by the pepper over the key's hash, the time and the record: write access
 * to Redis is not enough to create a record or to move it to another key. The time limits how long a copied text can be
 * replayed; it is this process's clock, as a fake Redis could report any time.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { KeyRecord } from '../keys/key-record.ts';

interface SignedRecord {
  record: KeyRecord;
  writtenAtMs: number;
}

const format = /^(\d{1,15})\.([\w-]{43})\.(?=\{)/;
const recordsMax = 2_000;

export class SignedRecords {
  readonly #key: KeyObject;
  /** The last verified text of each hash: the same text is not verified or parsed again, and stays one object. */
  readonly #verified = new Map<string, SignedRecord & { text: string }>();

  /** `pepper`: the newest, with which the hash was made too. */
  constructor(pepper: Buffer) {
    // A derived key: a signature made here can never be taken for the hash of a key.
    this.#key = createSecretKey(createHmac('sha256', pepper).update('record of the gate').digest());
  }

  sign(hash: string, record: KeyRecord, writtenAtMs: number): string {
    const json = JSON.stringify(record);
    return `${writtenAtMs}.${this.#mac(hash, String(writtenAtMs), json).toString('base64url')}.${json}`;
  }

  verify(hash: string, text: string): SignedRecord | undefined {
    const known = this.#verified.get(hash);
    if (known?.text === text) return known;
    const [head, writtenAt, mac] = format.exec(text) ?? [];
    if (head === undefined || writtenAt === undefined || mac === undefined) return undefined;
    const json = text.slice(head.length);
    if (!timingSafeEqual(this.#mac(hash, writtenAt, json), Buffer.from(mac, 'base64url'))) return undefined;
    const verified = { text, record: JSON.parse(json) as KeyRecord, writtenAtMs: Number(writtenAt) };
    if (this.#verified.size >= recordsMax) this.#verified.clear();
    this.#verified.set(hash, verified);
    return verified;
  }

  #mac(hash: string, writtenAt: string, json: string): Buffer {
    return createHmac('sha256', this.#key).update(`${hash}\n${writtenAt}\n${json}`).digest();
  }
}
