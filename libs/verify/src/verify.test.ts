import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { verifySignature } from '@store/verify';
import fc from 'fast-check';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const rawBody = Buffer.from('{"id":"e1","data":{"name":"Crème ☃"}}');
const at = new Date('2026-11-21T12:00:00.000Z');
const timestamp = String(at.getTime() / 1000);

const service = (key: string, body: Uint8Array | string = rawBody) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
const standard = (key: string, { id = 'e1', time = timestamp, body = rawBody as Uint8Array } = {}) =>
  `v1,${createHmac('sha256', Buffer.from(key.slice(6), 'base64'))
    .update(`${id}.${time}.`)
    .update(body)
    .digest('base64')}`;
const standardHeaders = (changes: Record<string, string> = {}) => ({
  'webhook-id': 'e1',
  'webhook-timestamp': timestamp,
  'webhook-signature': standard(secret),
  ...changes,
});
const isStandard = (headers: Record<string, string>, secrets = [secret], now = at) =>
  verifySignature({ scheme: 'standard', rawBody, headers, secrets, now });

describe('X-Service-Signature', () => {
  test('of the bytes as they arrived is accepted: as Buffer, Uint8Array or text', () => {
    for (const body of [rawBody, new Uint8Array(rawBody), rawBody.toString('utf8')]) {
      expect(verifySignature({ rawBody: body, signature: service(secret), secrets: [secret] })).toBe(true);
    }
  });

  test.each([
    ['node:http', { 'x-service-signature': service(secret) }],
    ['as it was written', { 'X-Service-Signature': service(secret) }],
    ['a list of one', { 'x-service-signature': [service(secret)] }],
    ['fetch', new Headers({ 'X-Service-Signature': service(secret) })],
  ])('is found in the headers of %s', (_title, headers) => {
    expect(verifySignature({ rawBody, headers, secrets: [secret] })).toBe(true);
  });

  test('of either secret is accepted while both are in force, of neither is not', () => {
    const accepts = (key: string, secrets: string[]) => verifySignature({ rawBody, signature: service(key), secrets });
    expect(accepts(secret, [other, secret])).toBe(true);
    expect(accepts(secret, [secret, other])).toBe(true);
    expect(accepts(secret, [other])).toBe(false);
  });

  test('with any single bit of the body or of the digest flipped is refused', () => {
    const flip = (bytes: Uint8Array, bit: number) => bytes.map((byte, n) => (n === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
    for (let bit = 0; bit < rawBody.length * 8; bit++) {
      expect(verifySignature({ rawBody: flip(rawBody, bit), signature: service(secret), secrets: [secret] })).toBe(false);
    }
    const digest = Buffer.from(service(secret).slice(7), 'hex');
    for (let bit = 0; bit < 256; bit++) {
      const signature = `sha256=${Buffer.from(flip(digest, bit)).toString('hex')}`;
      expect(verifySignature({ rawBody, signature, secrets: [secret] })).toBe(false);
    }
  });

  test('that is malformed is refused and throws nothing, whatever it is', () => {
    const whole = service(secret);
    const malformed = [
      '',
      'sha256=',
      whole.slice(7),
      whole.toUpperCase(),
      whole.slice(0, -1),
      `${whole}0`,
      ` ${whole}`,
      `${whole}\n`,
      `${whole}, ${whole}`,
    ];
    for (const signature of [...malformed, whole.replace('sha256', 'sha1')]) {
      expect([signature, verifySignature({ rawBody, signature, secrets: [secret] })]).toEqual([signature, false]);
    }
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (signature) => !verifySignature({ rawBody, signature, secrets: [secret] })));
  });

  test('that is absent, or sent twice, is refused', () => {
    expect(verifySignature({ rawBody, headers: {}, secrets: [secret] })).toBe(false);
    expect(verifySignature({ rawBody, headers: new Headers(), secrets: [secret] })).toBe(false);
    const twice = { 'x-service-signature': [service(secret), service(secret)] };
    expect(verifySignature({ rawBody, headers: twice, secrets: [secret] })).toBe(false);
    const inTwoCases = { 'x-service-signature': service(secret), 'X-Service-Signature': 'sha256=0' };
    expect(verifySignature({ rawBody, headers: inTwoCases, secrets: [secret] })).toBe(false);
  });

  test('is keyed with the text of the secret, not with what it decodes to (D134)', () => {
    const decoded = Buffer.from(secret.slice(6), 'base64');
    const signature = `sha256=${createHmac('sha256', decoded).update(rawBody).digest('hex')}`;
    expect(verifySignature({ rawBody, signature, secrets: [secret] })).toBe(false);
  });
});

describe('Standard Webhooks', () => {
  test('id, timestamp and body together are accepted, and each is signed', () => {
    expect(isStandard(standardHeaders())).toBe(true);
    expect(isStandard(standardHeaders({ 'webhook-id': 'e2' }))).toBe(false);
    expect(isStandard(standardHeaders({ 'webhook-timestamp': String(Number(timestamp) + 1) }))).toBe(false);
    expect(verifySignature({ scheme: 'standard', rawBody: 'x', headers: standardHeaders(), secrets: [secret], now: at })).toBe(false);
  });

  test.each([
    [-300, true],
    [-301, false],
    [300, true],
    [301, false],
  ])('a timestamp %d seconds away is in tolerance: %s', (seconds, accepted) => {
    const time = String(Number(timestamp) + seconds);
    const headers = standardHeaders({ 'webhook-timestamp': time, 'webhook-signature': standard(secret, { time }) });
    expect(isStandard(headers)).toBe(accepted);
    expect(verifySignature({ scheme: 'standard', rawBody, headers, secrets: [secret], now: at, toleranceSeconds: 301 })).toBe(true);
  });

  test('one of several signatures is enough, of any of several secrets', () => {
    const rotating = `${standard(other)} ${standard(secret)}`;
    expect(isStandard(standardHeaders({ 'webhook-signature': rotating }))).toBe(true);
    expect(isStandard(standardHeaders({ 'webhook-signature': rotating }), [other])).toBe(true);
    expect(isStandard(standardHeaders({ 'webhook-signature': `v1a,abc ${rotating}` }))).toBe(true);
    expect(isStandard(standardHeaders(), [other, secret])).toBe(true);
    expect(isStandard(standardHeaders(), [other])).toBe(false);
  });

  test('a missing or malformed header is refused and throws nothing', () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const { [name as 'webhook-id']: _gone, ...rest } = standardHeaders();
      expect(isStandard(rest as Record<string, string>)).toBe(false);
      for (const value of ['', 'x', '-1', '1e9', 'v1,', 'v2,abc', 'NaN', '1795219200.5']) {
        expect([name, value, isStandard(standardHeaders({ [name]: value }))]).toEqual([name, value, false]);
      }
    }
  });

  test('a service signature does not stand in for it', () => {
    expect(isStandard({ 'x-service-signature': service(secret) })).toBe(false);
  });
});

describe('a wrong call throws, as it would refuse or accept everything', () => {
  const call = (request: object) => () => verifySignature(request as Parameters<typeof verifySignature>[0]);
  test.each([
    ['a parsed body', { rawBody: { id: 'e1' }, signature: 'x', secrets: [secret] }, 'rawBody must be the bytes'],
    ['no body', { signature: 'x', secrets: [secret] }, 'rawBody must be the bytes'],
    ['no secret', { rawBody, signature: 'x', secrets: [] }, 'secrets must be'],
    ['an empty secret', { rawBody, signature: 'x', secrets: [''] }, 'secrets must be'],
    ['an undefined secret', { rawBody, signature: 'x', secrets: [undefined] }, 'secrets must be'],
    ['one secret that is not in a list', { rawBody, signature: 'x', secrets: secret }, 'secrets must be'],
    ['neither headers nor signature', { rawBody, secrets: [secret] }, 'headers or signature'],
    ['no headers for Standard Webhooks', { rawBody, secrets: [secret], scheme: 'standard' }, 'headers is required'],
    ['an unknown scheme', { rawBody, secrets: [secret], headers: {}, scheme: 'x' }, 'scheme must be'],
  ])('%s', (_title, request, message) => {
    expect(call(request)).toThrow(message);
    expect(call(request)).toThrow(TypeError);
  });
});

test('the package needs nothing but Node, and publishes what its exports name', () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(manifest.dependencies).toEqual({});
  const imports = [...readFileSync(new URL('./verify.js', import.meta.url), 'utf8').matchAll(/from '([^']+)'/g)].map((match) => match[1]);
  expect(imports).toEqual(['node:crypto']);
  expect(manifest.files).toEqual(expect.arrayContaining(['src/verify.js', 'src/verify.d.ts', 'vectors.json', 'README.md']));
});
