import { type EncodedFixedPart, encodeFixedPart, type FixedPart, systemCaller } from '@store/rpc';
import type { KeyRecord } from '../keys/key-record.ts';
import type { SessionRecord } from '../staff/find-session.ts';
import type { StoreRecord } from '../stores/store-record.ts';

/** The part of a caller that is the same for every request of a key or session, encoded once. */
export interface PreparedCaller {
  fixedPart: FixedPart;
  /** The encoded bytes with their digest, which each request's signature covers. */
  encoded: EncodedFixedPart;
  holds: (scope: string) => boolean;
}

const known = new WeakMap<object, PreparedCaller>();

/** Cached per record: a key's record lives as long as the key gate remembers it. */
export function preparedCaller(record: KeyRecord | SessionRecord): PreparedCaller {
  let caller = known.get(record);
  if (!caller) {
    caller = prepare('keyId' in record ? keyCaller(record) : staffCaller(record));
    known.set(record, caller);
  }
  return caller;
}

function prepare(fixedPart: FixedPart): PreparedCaller {
  return { fixedPart, encoded: encodeFixedPart(fixedPart), holds: (scope) => fixedPart.scopes.has(scope) };
}

function keyCaller(record: KeyRecord): FixedPart {
  return {
    ...storePart(record.store),
    actor: {
      type: 'key',
      keyId: record.keyId,
      keyName: record.name,
      keyExpiresAtMs: record.expiresAtMs,
      userId: record.createdBy.id,
      userName: record.createdBy.name,
      role: '',
    },
    scopes: new Set(record.scopes),
  };
}

/** "For staff sessions, cost visibility follows the user's role permission for financial data instead." */
function staffCaller(session: SessionRecord): FixedPart {
  return {
    ...storePart(session.store),
    actor: { type: 'user', keyId: 0, keyName: '', keyExpiresAtMs: 0, userId: session.userId, userName: session.name, role: session.role },
    scopes: session.scopes,
  };
}

function storePart(store: StoreRecord) {
  return {
    storeId: store.storeId,
    timeZone: store.timeZone,
    country: store.country ?? '',
    currency: store.currency,
    locale: store.locale,
    features: new Set(store.features),
    tax: store.tax,
  };
}

/** Unknown yet: a login has no store until it succeeds. */
export const anonymous: PreparedCaller = prepare(systemCaller(0, { currency: '' }));
