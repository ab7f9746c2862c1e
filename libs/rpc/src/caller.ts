/** Who calls and for which store; travels with every call between processes, signed (see signed-caller.ts). */
import { messageType } from '@store/contract';

export interface Caller {
  storeId: number;
  requestId: string;
  actor: Actor;
  /** IANA time zone of the store. */
  timeZone: string;
  /** Country of the store by its code of ISO 3166; empty where it is not known. */
  country: string;
  currency: string;
  locale: string;
  features: ReadonlySet<string>;
  /** Scopes of the key, or those that the role of a member of staff implies. */
  scopes: ReadonlySet<string>;
  tax: Tax;
  /** The Idempotency-Key header with the SHA-256 of method, path and body. */
  idempotency?: { key: string; hash: Uint8Array };
  /** Address of the client; empty for background work. */
  ip: string;
  /** All checks are made and the answer is built, but nothing is kept (D202). */
  dryRun?: true;
  /** The If-Match header: the versions of the record of which one is to be changed (D285). */
  ifMatch?: string;
  /** Other stores call the gateway too, so long work of this one pauses for them (D256). */
  othersCall?: true;
}

interface Actor {
  type: 'key' | 'user' | 'system';
  /** 0 unless type is key. */
  keyId: number;
  keyName: string;
  /** Milliseconds since the epoch; 0: never. */
  keyExpiresAtMs: number;
  /** The admin who created the key, or the member of staff; 0 for the system. */
  userId: number;
  userName: string;
  /** clerk, manager or admin; empty for keys. */
  role: string;
}

/** Rates are percent strings ("13.00"). */
export interface Tax {
  mode: string;
  rate: string;
  name: string;
  gstRate: string;
  gstName: string;
  pstRate: string;
  pstName: string;
}

export const noTax: Tax = { mode: 'none', rate: '', name: '', gstRate: '', gstName: '', pstRate: '', pstName: '' };

const type = messageType('store.api.v1.Caller');

/** The part that belongs to one request. */
export type RequestPart = Pick<Caller, 'requestId' | 'idempotency' | 'ip' | 'dryRun' | 'ifMatch' | 'othersCall'>;
/** The part that is the same for every request of a key or session. */
export type FixedPart = Omit<Caller, keyof RequestPart>;

export function fixedPartBytes(caller: FixedPart): Buffer {
  const { actor, tax } = caller;
  const bytes = type
    .encode({
      store_id: caller.storeId,
      actor: {
        type: actor.type,
        key_id: actor.keyId,
        key_name: actor.keyName,
        key_expires_at_ms: actor.keyExpiresAtMs,
        user_id: actor.userId,
        user_name: actor.userName,
        role: actor.role,
      },
      time_zone: caller.timeZone,
      country: caller.country,
      currency: caller.currency,
      locale: caller.locale,
      features: [...caller.features],
      scopes: [...caller.scopes],
      tax: {
        mode: tax.mode,
        rate: tax.rate,
        name: tax.name,
        gst_rate: tax.gstRate,
        gst_name: tax.gstName,
        pst_rate: tax.pstRate,
        pst_name: tax.pstName,
      },
    })
    .finish();
  return Buffer.from(bytes);
}

export function encodeRequestPart(request: RequestPart): Buffer {
  const bytes = type
    .encode({
      request_id: request.requestId,
      ip: request.ip,
      ...(request.dryRun && { dry_run: true }),
      ...(request.ifMatch !== undefined && { if_match: request.ifMatch }),
      ...(request.othersCall && { others_call: true }),
      ...(request.idempotency && { idempotency_key: request.idempotency.key, idempotency_hash: request.idempotency.hash }),
    })
    .finish();
  return Buffer.from(bytes);
}

const actorTypes: readonly string[] = ['key', 'user', 'system'] satisfies Actor['type'][];

export function decodeFixedPart(bytes: Uint8Array): FixedPart {
  const wire = type.toObject(type.decode(bytes), { longs: Number, defaults: true, arrays: true }) as WireCaller;
  if (!wire.actor || !wire.tax || !actorTypes.includes(wire.actor.type)) throw new Error('a caller without its actor or tax');
  return {
    storeId: wire.store_id,
    actor: {
      type: wire.actor.type as Actor['type'],
      keyId: wire.actor.key_id,
      keyName: wire.actor.key_name,
      keyExpiresAtMs: wire.actor.key_expires_at_ms,
      userId: wire.actor.user_id,
      userName: wire.actor.user_name,
      role: wire.actor.role,
    },
    timeZone: wire.time_zone,
    country: wire.country,
    currency: wire.currency,
    locale: wire.locale,
    features: new Set(wire.features),
    scopes: new Set(wire.scopes),
    tax: {
      mode: wire.tax.mode,
      rate: wire.tax.rate,
      name: wire.tax.name,
      gstRate: wire.tax.gst_rate,
      gstName: wire.tax.gst_name,
      pstRate: wire.tax.pst_rate,
      pstName: wire.tax.pst_name,
    },
  };
}

/** The whole caller. Throws when the bytes are not a valid request part. */
export function withRequestPart(fixedPart: FixedPart, requestPart: Uint8Array): Caller {
  const part = type.toObject(type.decode(requestPart), { defaults: false }) as Partial<WireCaller>;
  return {
    ...fixedPart,
    requestId: part.request_id ?? '',
    ip: part.ip ?? '',
    ...(part.dry_run && { dryRun: true as const }),
    ...(part.if_match !== undefined && { ifMatch: part.if_match }),
    ...(part.others_call && { othersCall: true as const }),
    ...(part.idempotency_key && { idempotency: { key: part.idempotency_key, hash: part.idempotency_hash ?? new Uint8Array() } }),
  };
}

interface WireCaller {
  store_id: number;
  request_id: string;
  actor: {
    type: string;
    key_id: number;
    key_name: string;
    key_expires_at_ms: number;
    user_id: number;
    user_name: string;
    role: string;
  } | null;
  time_zone: string;
  country: string;
  currency: string;
  locale: string;
  features: string[];
  scopes: string[];
  tax: { mode: string; rate: string; name: string; gst_rate: string; gst_name: string; pst_rate: string; pst_name: string } | null;
  idempotency_key: string;
  idempotency_hash: Uint8Array;
  ip: string;
  dry_run: boolean;
  if_match: string;
  others_call: boolean;
}

/** Request id of background work; a client's own is longer. */
export const systemRequestId = 'system';

/** The caller of background work on one store (D184). */
export function systemCaller(
  storeId: number,
  fixedPart: Partial<Pick<Caller, 'timeZone' | 'currency' | 'locale' | 'features' | 'tax'>> = {},
): Caller {
  return {
    storeId,
    requestId: systemRequestId,
    actor: { type: 'system', keyId: 0, keyName: '', keyExpiresAtMs: 0, userId: 0, userName: '', role: '' },
    timeZone: 'UTC',
    country: '',
    currency: '$',
    locale: 'en',
    features: new Set(),
    scopes: new Set(),
    tax: noTax,
    ip: '',
    ...fixedPart,
  };
}
