import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import { verifySignature } from '@store/verify';
import { deliveryHeaders, serviceSignature, standardSignature, testPingHeaders } from './sign.ts';

const { secret, timestamp, vectors } = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('@store/verify/vectors.json'), 'utf8'),
) as {
  secret: string;
  timestamp: number;
  vectors: {
    name: string;
    id: string;
    body_base64?: string;
    body_repeat?: { text: string; times: number };
    x_service_signature: string;
    webhook_signature: string;
  }[];
};

test.each(vectors)('the published test vector gives the published signature: $name (D134)', (vector) => {
  const repeat = vector.body_repeat;
  const body = repeat ? Buffer.from(repeat.text.repeat(repeat.times)) : Buffer.from(vector.body_base64!, 'base64');
  expect(serviceSignature(secret, body)).toBe(vector.x_service_signature);
  expect(standardSignature(secret, vector.id, timestamp, body)).toBe(vector.webhook_signature);
});

const body = Buffer.from('{"id":"7b0c6b0e","event":"product.updated","data":{"name":"☃"}}');
const oldSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const newSecret = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const event = { body, event: 'product.updated', id: '7b0c6b0e', requestId: 'request-1', sequence: 42 };
const delivery = { ...event, secrets: [oldSecret] as const, attempt: 1, at: new Date('2026-11-21T12:00:00.900Z') };

describe('Spec, Request headers', () => {
  const common = {
    'Content-Type': 'application/json',
    'User-Agent': 'Store-Webhooks/1.0',
    'X-Service-Signature': serviceSignature(oldSecret, body),
    'webhook-id': '7b0c6b0e',
    'webhook-timestamp': '1795262400',
    'webhook-signature': standardSignature(oldSecret, '7b0c6b0e', 1_795_262_400, body),
  };

  test('a delivery has the headers of the specification, the added ones and no other', () => {
    expect(deliveryHeaders(delivery)).toEqual({
      ...common,
      'X-Service-Event': 'product.updated',
      'X-Service-Delivery': '7b0c6b0e',
      'X-Service-Sequence': '42',
      'X-Service-Attempt': '1',
      'X-Service-Request': 'request-1',
    });
  });

  test('an event without a request, or of an earlier release, has no X-Service-Request', () => {
    for (const requestId of [null, '', 'system'])
      expect(deliveryHeaders({ ...delivery, requestId })).not.toHaveProperty('X-Service-Request');
  });

  test('the test ping adds only the headers of Standard Webhooks (D180, D281)', () => {
    expect(testPingHeaders({ ...delivery, event: 'webhook.test' })).toEqual({ ...common, 'X-Service-Event': 'webhook.test' });
  });
});

test('Delivery 4: every attempt has the same id and signature, also in a rotation', () => {
  const first = deliveryHeaders(delivery);
  const last = deliveryHeaders({ ...delivery, attempt: 5, at: new Date('2026-11-21T15:00:00Z'), secrets: [oldSecret, newSecret] });
  const changed = Object.keys(first).filter((name) => first[name] !== last[name]);
  expect(changed.sort()).toEqual(['X-Service-Attempt', 'webhook-signature', 'webhook-timestamp']);
});

test('in a rotation a receiver with either secret verifies webhook-signature (D135)', () => {
  const headers = deliveryHeaders({ ...delivery, secrets: [oldSecret, newSecret] });
  const accepts = (secret: string) => verifySignature({ scheme: 'standard', rawBody: body, headers, secrets: [secret], now: delivery.at });
  expect([accepts(oldSecret), accepts(newSecret), accepts(secret)]).toEqual([true, true, false]);
  expect(verifySignature({ rawBody: body, headers, secrets: [oldSecret] })).toBe(true);
  expect(verifySignature({ rawBody: body, headers, secrets: [newSecret] })).toBe(false);
});
