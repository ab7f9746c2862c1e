/** Which key calls (X-API-Key, and only there). */
import { Problem, texts } from '@store/problem';
import type { Gateway } from '../gateway.ts';
import type { Admission } from '../key-gate/key-gate.ts';
import { findKey } from '../keys/find-key.ts';
import type { KeyRecord } from '../keys/key-record.ts';
import { hashKey, keyHashes, parseKey } from '../keys/key-text.ts';
import type { Exchange, Pipeline } from './exchange.ts';

export interface KeyCaller {
  hash: string;
  record: KeyRecord;
  /** The key gate's answer, which has counted this request. */
  admission: Admission;
}

/** A version that no key gate gave out: the request is counted and nothing is kept. */
const keepNothing = -1;

const invalidKey = () => new Problem('unauthenticated', texts.invalidKey);

export async function authenticateKey(exchange: Exchange, parts: Pipeline): Promise<void> {
  const text = String(exchange.request.headers['x-api-key']);
  exchange.key = await keyCallerOf(parts, { text, ip: exchange.ip });
}

/** Unknown, malformed, revoked and expired keys are refused with one body, so that nobody learns which it was. */
export async function keyCallerOf(
  { app, flood }: Pick<Pipeline, 'app' | 'flood'>,
  { text, ip }: { text: string; ip: string },
): Promise<KeyCaller> {
  if (!parseKey(text)) throw invalidKey();
  const { peppers } = app.config;
  const hash = hashKey(peppers[0]!, text).toString('hex');
  const askedAtMs = app.cacheValidity.nowMs();
  let admission = await app.keyGate.admit(hash);
  if (admission.revoked) throw invalidKey();
  let record = app.cacheValidity.believes(hash, askedAtMs) ? admission.record : undefined;
  if (!record) {
    // Only the database may still know the key by an older pepper.
    const find = () => findKey(app, keyHashes(peppers, text));
    record = admission.record ? await find() : await flood.lookUp(ip, hash, find, ({ revoked }) => !revoked);
    if (!record) throw invalidKey();
    admission = await rememberAnew(app, hash, record, admission);
    // The key gate is given a revoked record too: it then holds the tombstone again, should it have lost it.
    if (admission.revoked || record.revoked) throw invalidKey();
  }
  // Expired from the very millisecond of expires_at on (D8), by the key gate's clock.
  if (record.expiresAtMs > 0 && admission.nowMs >= record.expiresAtMs) throw invalidKey();
  return { hash, record, admission };
}

/** The record read from the database replaces the remembered one, while notices of changes arrive. */
async function rememberAnew(app: Gateway, hash: string, record: KeyRecord, admission: Admission): Promise<Admission> {
  const { hears } = app.cacheValidity;
  if (admission.count === 0 || record.revoked) {
    const kept = await app.keyGate.remember(hash, record, hears ? admission.version : keepNothing);
    // Not kept: Redis may be away, and come back with what it had.
    if (hears && kept.record) app.cacheValidity.checked(hash);
    return kept;
  }
  // The request is counted already; its old record goes, and the next request brings the new one.
  if (hears) {
    await app.keyGate.forget([hash]);
    app.cacheValidity.checked(hash);
  }
  return admission;
}
