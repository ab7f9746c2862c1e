/** Streamed answers over HTTP: the usual envelope and headers, bytes sent as they arrive, and early ends. */
import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { Reply } from '@store/rpc';
import { shareSales } from '../../test/sales-under-test.ts';

let rest: () => AsyncGenerator<object>;
let headers: Record<string, string> | undefined;
const verbs = { SnapshotGiftCards: async () => new Reply({ generated_at: 'now' }, { headers, rest: rest() }) };
const sales = shareSales(verbs, 'gift_cards:read');
const { gateway } = sales;

const card = (number: string) => ({ card_number: number, balance: 1, status: 'active' });
const get = (init?: RequestInit) => sales.get('/gift_cards/snapshot', init);
async function* pages(...pagesOf: string[][]) {
  for (const numbers of pagesOf) yield { cards: numbers.map(card) };
}
const headOf = (answer: Response, ...names: string[]) => [answer.status, ...names.map((name) => answer.headers.get(name))];
const shown = (number: string) => `{"card_number":"${number}","balance":1,"status":"active","expires_at":null}`;

describe('the body', () => {
  test('is the envelope of any answer, in however many messages it arrived', async () => {
    headers = { 'X-Truncated': 'true' };
    for (const messages of [[], [[]], [['A', 'B'], [], ['C']]]) {
      const numbers = messages.flat();
      rest = () => pages(...messages);
      const answer = await get();
      const { meta } = JSON.parse(await answer.clone().text());
      expect(await answer.text()).toBe(
        `{"data":{"generated_at":"now","cards":[${numbers.map(shown).join(',')}]},"meta":${JSON.stringify(meta)}}`,
      );
      expect(meta.request_id).toBe(answer.headers.get('X-Request-Id'));
      const json = 'application/json; charset=utf-8';
      expect(headOf(answer, 'x-truncated', 'content-type', 'content-length')).toEqual([200, 'true', json, null]);
    }
    headers = undefined;
  });

  test("is the endpoint's own for staff", async () => {
    rest = () => pages(['A']);
    const answer = await sales.getAsStaff('/gift_cards/snapshot');
    expect(await answer.text()).toBe(`{"generated_at":"now","cards":[${shown('A')}]}`);
  });

  test('is started before the last message exists, with its headers', async () => {
    const released = Promise.withResolvers<void>();
    rest = async function* held() {
      yield { cards: [card('A')] };
      await released.promise;
      yield { cards: [card('B')] };
    };
    const answer = await get();
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('"A"')) text += (await reader.read()).value;
    expect(text).not.toContain('"B"');
    released.resolve();
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
    expect(JSON.parse(text).data.cards).toHaveLength(2);
  });
});

test('HEAD has the headers of GET, no body, and ends the rpc', async () => {
  const ended = Promise.withResolvers<void>();
  headers = { 'X-Truncated': 'true' };
  rest = async function* endless() {
    try {
      for (;;) yield { cards: [card('A')] };
    } finally {
      ended.resolve();
    }
  };
  const answer = await get({ method: 'HEAD' });
  expect([...headOf(answer, 'x-truncated', 'content-length'), await answer.text()]).toEqual([200, 'true', null, '']);
  headers = undefined;
});

test('a service that fails midway closes the connection: no part is taken as whole', async () => {
  rest = async function* failing() {
    yield { cards: [card('A')] };
    throw new Error('the database is gone');
  };
  const answer = await get();
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow();
  rest = () => pages(['A']);
  expect((await get()).status).toBe(200);
});

test('a client that disconnects ends the rpc, which no longer counts as in flight', async () => {
  const ended = Promise.withResolvers<void>();
  rest = async function* endless() {
    try {
      for (;;) yield { cards: Array.from({ length: 1_000 }, (_, n) => card(`N${n}`)) };
    } finally {
      ended.resolve();
    }
  };
  const connection = gateway.open();
  await once(connection.socket, 'connect');
  connection.socket.write(`GET /api/v1/gift_cards/snapshot HTTP/1.1\r\nHost: x\r\nX-API-Key: ${sales.key}\r\n\r\n`);
  await connection.until('N999');
  connection.socket.destroy();
  await ended.promise;
  expect(sales.channel.breaker.underWay).toBe(0);
});

test('the request counts as completed by the key before the last byte (D13)', async () => {
  const { app } = gateway;
  const completed = Promise.withResolvers<void>();
  const complete = app.keyGate.complete.bind(app.keyGate);
  app.keyGate.complete = async (...asked) => {
    await complete(...asked);
    completed.resolve();
  };
  rest = async function* late() {
    await completed.promise;
    yield { cards: [card('A')] };
  };
  const fresh = (await gateway.key(await gateway.store(), { scopes: ['gift_cards:read'] })).key;
  expect(await (await get({ headers: { 'X-API-Key': fresh } })).text()).toContain('"A"');
});

test('is compressed for gzip alone if its first part is large; HEAD has equal headers', async () => {
  const large = Array.from({ length: 200 }, (_, n) => `N${n}`);
  for (const [accepted, numbers, encoding] of [
    ['gzip', large, 'gzip'],
    ['gzip', ['A'], null],
    ['identity', large, null],
  ] as const) {
    rest = () => pages([...numbers], ['B']);
    const answer = await get({ headers: { 'Accept-Encoding': accepted } });
    const { vary, 'content-encoding': sent } = Object.fromEntries(answer.headers);
    const { cards } = JSON.parse(await answer.text()).data;
    expect([vary, sent ?? null, cards.length]).toEqual(['Accept-Encoding', encoding, numbers.length + 1]);
    const head = await get({ method: 'HEAD', headers: { 'Accept-Encoding': accepted } });
    expect([head.headers.get('content-encoding'), head.headers.get('vary')]).toEqual([encoding, 'Accept-Encoding']);
  }
});
