import { expect, jest, test } from '@jest/globals';
import { deprecationOf } from '@store/contract';
import { Metrics } from '@store/service';
import { shareDoor } from '../../test/http-under-test.ts';
import { newKey } from '../keys/key-text.ts';

const door = shareDoor({}, { metrics: new Metrics('gateway') });

test('a request is matched to its route once, for every caller, refused or not', async () => {
  const store = await door.store();
  const { key } = await door.key(store);
  const asked: [number, string, RequestInit][] = [
    [200, '/key', { headers: { 'X-API-Key': key } }],
    [404, '/nothing', { headers: { 'X-API-Key': key } }],
    [403, '/staff_users', { headers: { 'X-API-Key': key } }],
    [401, '/key', { headers: { 'X-API-Key': newKey() } }],
    [200, '/settings', { headers: { Authorization: `Bearer ${store.token}` } }],
    [401, '/settings', {}],
    [400, '/staff_sessions', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }],
  ];
  const match = jest.spyOn(door.pipeline.routes, 'match');
  for (const [status, path, init] of asked) {
    match.mockClear();
    expect((await fetch(`${door.baseUrl}/api/v1${path}`, init)).status).toBe(status);
    expect(match).toHaveBeenCalledTimes(1);
  }
});

test('a scope counts as used only by a request that passed every check', async () => {
  const store = await door.store();
  const [reader, other] = [await door.key(store), await door.key(store, { scopes: ['customers:read'] })];
  const record = jest.spyOn(door.app.usage, 'record');
  const ask = async (path: string, { key }: { key: string }) =>
    (await fetch(`${door.baseUrl}/api/v1${path}`, { headers: { 'X-API-Key': key } })).status;
  expect([await ask('/settings', reader), await ask('/nothing', reader), await ask('/settings', other)]).toEqual([200, 404, 403]);
  expect(record.mock.calls.map(([{ keyId }, scope]) => [keyId, scope])).toEqual([
    [reader.id, 'products:read'],
    [reader.id, ''],
    [other.id, ''],
  ]);
});

test('D30: every answer of a deprecated endpoint says since and until when', async () => {
  const store = await door.store();
  const { key } = await door.key(store);
  const ask = async (headers: Record<string, string>) => (await fetch(`${door.baseUrl}/api/v1/key`, { headers })).headers;
  expect((await ask({ 'X-API-Key': key })).has('deprecation')).toBe(false);
  const { endpoint } = door.pipeline.routes.match('GET', ['key'])!;
  endpoint.deprecation = deprecationOf('2026-11-23');
  for (const caller of [{ 'X-API-Key': key }, { 'X-API-Key': newKey() }]) {
    const headers = await ask(caller);
    expect([headers.get('deprecation'), headers.get('sunset')]).toEqual(['@1795392000', 'Tue, 23 Nov 2027 00:00:00 GMT']);
  }
  delete endpoint.deprecation;
});
