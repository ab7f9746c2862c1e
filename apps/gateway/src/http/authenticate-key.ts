import { Problem, texts } from '@store/problem';
import { askForStore } from '@store/shares/asker';
import type { Gateway } from '../gateway.ts';
import type { Admission } from '../key-gate/key-gate.ts';
import { findKey } from '../keys/find-key.ts';
import type { KeyRecord } from '../keys/key-record.ts';
import { hashKey, keyHashes, parseKey } from '../keys/key-text.ts';
import { keepConnection } from './connection-shares.ts';
import type { Exchange, KeyCaller, Pipeline } from './exchange.ts';

/** A version that no key gate issues: the request is counted and nothing is remembered. */
const keepNothing = -1;

const invalidKey = () => new Problem('unauthenticated', texts.invalidKey);

export async function authenticateKey(exchange: Exchange, parts: Pipeline): Promise<void> {
  const text = String(exchange.request.headers['x-api-key']);
  exchange.key = await keyCallerOf(parts, { text, ip: exchange.ip });
  keepConnection(exchange.request);
  askForStore(exchange.key.record.store.storeId);
}

/** Unknown, malformed, revoked and expired keys get the same body, so that the answer does not reveal which case it was. */
export async function keyCallerOf(
  { app, flood }: Pick<Pipeline, 'app' | 'flood'>,
  { text, ip }: { text: string; ip: string },
): Promise<KeyCaller> {
  if (!parseKey(text)) throw invalidKey();
  const { peppers } = app.config;
  const hash = hashKey(peppers[0]!, text).toString('hex');
  const askedAtMs = app.cacheValidity.nowMs();
  let admission = await app.keyGate.admit(hash, flood.mayLookUp(ip, hash));
  if (admission.revoked) throw refused(app, hash);
  let record = app.cacheValidity.believes(hash, askedAtMs) ? admission.record : undefined;
  if (!record) {
    // The key may be stored under an older pepper, which only the database knows.
    const find = () => findKey(app, keyHashes(peppers, text));
    record = admission.record ? await find() : await flood.lookUp(ip, hash, find, ({ revoked }) => !revoked);
    if (!record) throw invalidKey();
    admission = await rememberAnew(app, hash, record, admission);
    // A revoked record is passed on too: the key gate then restores its tombstone if that was lost.
    if (admission.revoked || record.revoked) throw refused(app, record);
  }
  // Expired from the exact millisecond of expires_at (D8), by the key gate's clock.
  if (record.expiresAtMs > 0 && admission.nowMs >= record.expiresAtMs) throw refused(app, record);
  return { hash, record, admission };
}

/** The 401 of a key that once was valid: its store sees how often it is still used (D259). */
function refused({ usage, db }: Gateway, key: KeyRecord | string): Problem {
  usage.refused(key, 'unauthorized', db.clock.now());
  return invalidKey();
}

/** The record from the database replaces the remembered one, as long as change notifications arrive. */
async function rememberAnew(app: Gateway, hash: string, record: KeyRecord, admission: Admission): Promise<Admission> {
  const { isListening } = app.cacheValidity;
  if (admission.count === 0 || record.revoked) {
    const kept = await app.keyGate.remember(hash, record, isListening ? admission.version : keepNothing);
    // Not remembered: Redis may be down, and may return with old data.
    if (isListening && kept.record) app.cacheValidity.checked(hash);
    return kept;
  }
  // The request is already counted; the old record is dropped, and the next request stores the new one.
  if (isListening) {
    await app.keyGate.forget([hash]);
    app.cacheValidity.checked(hash);
  }
  return admission;
}
