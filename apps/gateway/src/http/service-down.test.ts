import { afterAll, expect, test } from '@jest/globals';
import { texts } from '@store/problem';
import { connect } from '@store/rpc';
import { testTrust } from '@store/testbed';
import { shareDoor } from '../../test/http-under-test.ts';
import { BodyRoom } from './body-room.ts';
import { Routes } from './routes.ts';

// A port without a listener.
const catalog = connect('127.0.0.1:1', testTrust());
const forwarder = { channels: new Map([['catalog', catalog]]), own: {}, room: new BodyRoom() };
const door = shareDoor({}, { forwarder, routes: new Routes(new Set(['gateway', 'catalog'])) });
afterAll(() => catalog.close());

const ask = async (key: string) => {
  const response = await fetch(`${door.baseUrl}/api/v1/products`, { headers: { 'X-API-Key': key } });
  const limits = [...response.headers.keys()].filter((name) => name.startsWith('x-ratelimit'));
  return [response.status, response.headers.get('retry-after'), await response.json(), limits];
};

test('a service that is down is a 500 with Retry-After and without a rate-limit header', async () => {
  const { key } = await door.key(await door.store());
  expect(await ask(key)).toEqual([500, '5', { error: texts.unexpected }, []]);
});

test('a service that hangs gets the same answer at once', async () => {
  const { key } = await door.key(await door.store());
  for (let n = 0; n < 5; n++) {
    (await catalog.breaker.enter())('late');
  }
  while (!catalog.breaker.isOpen) await new Promise((resolve) => setImmediate(resolve));
  expect(await ask(key)).toEqual([500, '5', { error: texts.unexpected }, []]);
  expect(catalog.breaker.counts).toMatchObject({ late: 5, opened: 1, refused: 1 });
});
