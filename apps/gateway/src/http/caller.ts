/** The caller that travels with the request to the services. */
import { type EncodedStanding, encodeStanding, noTax, type Standing as StandingCaller } from '@store/rpc';
import type { KeyRecord } from '../keys/key-record.ts';
import type { SessionRecord } from '../staff/find-session.ts';
import type { StoreRecord } from '../stores/store-record.ts';

/** The part of a caller that is the same for every request of a key or a session. */
export interface Standing {
  caller: StandingCaller;
  /** The same as bytes with their digest, which every signature of a request takes in. */
  encoded: EncodedStanding;
  holds: (scope: string) => boolean;
}

const known = new WeakMap<object, Standing>();

/** Made once per record: a key's record lives as long as the key gate remembers it. */
export function standingOf(record: KeyRecord | SessionRecord): Standing {
  let standing = known.get(record);
  if (!standing) {
    const caller = 'keyId' in record ? keyCaller(record) : staffCaller(record);
    standing = { caller, encoded: encodeStanding(caller), holds: (scope) => caller.scopes.has(scope) };
    known.set(record, standing);
  }
  return standing;
}

function keyCaller(record: KeyRecord): Standing['caller'] {
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
function staffCaller(session: SessionRecord): Standing['caller'] {
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
    currency: store.currency,
    locale: store.locale,
    features: new Set(store.features),
    tax: store.tax,
  };
}

/** Nobody yet: a login has no store until it succeeds. */
export const nobody: Standing = (() => {
  const caller: Standing['caller'] = {
    storeId: 0,
    timeZone: 'UTC',
    currency: '',
    locale: 'en',
    features: new Set(),
    tax: noTax,
    actor: { type: 'system', keyId: 0, keyName: '', keyExpiresAtMs: 0, userId: 0, userName: '', role: '' },
    scopes: new Set(),
  };
  return { caller, encoded: encodeStanding(caller), holds: () => false };
})();
