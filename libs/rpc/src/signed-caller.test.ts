import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Caller, noTax, systemCaller } from './caller.ts';
import { clockSkewMaxMs, ServiceKeys, signatureValidMs } from './service-keys.ts';
import { encodeFixedPart, fixedPartOf, headerOf, openCaller, type SignedCaller, signCaller, signedCallerOf } from './signed-caller.ts';

const target = '/store.catalog.v1.Catalog/GetProduct';
let nowMs = Date.parse('2026-11-20T12:00:00.000Z');
const clock = { now: () => new Date(nowMs) };
const pair = { caller: 'gateway', called: 'catalog' };
const first = { id: 1, secret: randomBytes(32) };
const second = { id: 2, secret: randomBytes(32) };
const ring = new ServiceKeys([first], clock, { pair });

const full: Caller = {
  ...systemCaller(3, { features: new Set(['loyalty']), tax: { ...noTax, mode: 'single', rate: '13.00', name: 'HST' } }),
  requestId: 'req-12345678',
  actor: { type: 'key', keyId: 4, keyName: 'Clé', keyExpiresAtMs: 1_800_000_000_000, userId: 5, userName: 'Ada', role: '' },
  scopes: new Set(['products:read', 'costs:read']),
  idempotency: { key: 'k1', hash: Buffer.from([1, 2, 3]) },
  ip: '203.0.113.7',
  othersCall: true,
};
const fixedPart = encodeFixedPart(full);
const signed = (keys = ring) => signCaller(keys, fixedPart, full, target);

test('a signed caller is decoded unchanged, first and when its fixed part is cached', () => {
  expect(openCaller(ring, signed(), target)).toEqual(full);
  expect(openCaller(ring, signed(), target)).toEqual(full);
});

test('an arrived fixed part is passed on unchanged; a caller made from it is encoded', () => {
  const arrived = openCaller(ring, signed(), target)!;
  expect(fixedPartOf(arrived)).toEqual(fixedPart);
  expect(fixedPartOf(openCaller(ring, signed(), target)!)).toBe(fixedPartOf(arrived));
  const other = { ...arrived, storeId: 9 };
  expect(openCaller(ring, signCaller(ring, fixedPartOf(other), other, target), target)).toEqual({ ...full, storeId: 9 });
});

test('a cached fixed part is not trusted by itself: each call needs its own signature', () => {
  expect(openCaller(ring, { ...signed(), signature: Buffer.alloc(42) }, target)).toBeUndefined();
  expect(openCaller(new ServiceKeys([{ id: 1, secret: randomBytes(32) }], clock, { pair }), signed(), target)).toBeUndefined();
});

test('no byte of it can be changed unnoticed', () => {
  const original = signed();
  for (const part of ['fixedPart', 'requestPart', 'signature'] as const) {
    for (let index = 0; index < original[part].length; index++) {
      const changed = Buffer.from(original[part]);
      changed[index]! ^= 0x01;
      expect(openCaller(ring, { ...original, [part]: changed }, target)).toBeUndefined();
    }
  }
});

test('bytes moved from one part to the next give another caller', () => {
  const { fixedPart: bytes, requestPart, signature } = signed();
  const moved = { fixedPart: bytes.subarray(0, -2), requestPart: Buffer.concat([bytes.subarray(-2), requestPart]), signature };
  expect(openCaller(ring, moved, target)).toBeUndefined();
});

test('it expires a minute after it was made, plus a few seconds for clocks that differ', () => {
  const earlier = signed();
  nowMs += signatureValidMs + clockSkewMaxMs;
  expect(openCaller(ring, earlier, target)).toEqual(full);
  nowMs += 1;
  expect(openCaller(ring, earlier, target)).toBeUndefined();
  nowMs -= signatureValidMs + clockSkewMaxMs + 1;
});

test('the newest key signs, an older one in the ring verifies, a removed one does not', () => {
  const rotated = new ServiceKeys([second, first], clock, { pair });
  expect(openCaller(rotated, signed(ring), target)).toEqual(full);
  expect(signed(rotated).signature.readUInt32BE(0)).toBe(2);
  expect(openCaller(new ServiceKeys([second], clock, { pair }), signed(ring), target)).toBeUndefined();
});

describe('a valid signature over bytes that are not a caller', () => {
  const sign = (bytes: Buffer, requestPart = Buffer.alloc(0)): SignedCaller => {
    const fixedPartDigest = digestOf(bytes);
    return { fixedPart: bytes, requestPart, signature: ring.sign({ fixedPartDigest, requestPart, target }) };
  };
  const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest();

  test('is refused, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(openCaller(ring, sign(Buffer.from(bytes)), target)).toBeUndefined();
      }),
    );
  });

  test('is refused when only the request part is malformed', () => {
    expect(openCaller(ring, sign(fixedPart.bytes, Buffer.from([0xff])), target)).toBeUndefined();
  });
});

test('the text of a header gives the same caller, and any other text none', () => {
  expect(openCaller(ring, signedCallerOf(headerOf(signed()))!, target)).toEqual(full);
  for (const text of [undefined, '', '.', '..', 'a.b', 'a.b.c.d', 'ä.b.c', [headerOf(signed())]])
    expect(signedCallerOf(text)).toBeUndefined();
});
