/** Specification: Authentication 1 to 5. */
import { describe, expect, test } from '@jest/globals';
import { newKey as unknownKey } from '@store/gateway/key-text';
import { texts } from '@store/problem';
import { rawRequest, rawText } from '../kit/raw-http.ts';
import { useWorld } from '../kit/use.ts';
import type { Store } from '../kit/world.ts';

const world = await useWorld();
const key = await world.newKey(world.store);

const admin = (store: Store = world.store) => ({ token: store.token });
const createKey = (apiKey: unknown, store?: Store) => world.call('POST', '/api_keys', { ...admin(store), body: { api_key: apiKey } });
const raw = (...headers: string[]) => rawRequest(world.baseUrl, rawText('GET /api/v1/key', headers));
const refused = `{"error":"${texts.invalidKey}"}`;

describe('Authentication 1: the key is read only from X-API-Key', () => {
  test('D4: the key wins over a session that comes with it, valid or not', async () => {
    const both = await world.call('GET', '/products', { key, token: world.store.token });
    expect(Object.keys(both.body)).toEqual(['data', 'pagination', 'meta']);
    const bad = await world.call('GET', '/products', { key: unknownKey(), token: world.store.token });
    expect([bad.status, bad.text]).toEqual([401, refused]);
  });

  test('row 7: whitespace around the key is trimmed by HTTP, inside it is a 401', async () => {
    expect((await raw(`X-API-Key:  \t ${key} \t`)).status).toBe(200);
    expect((await raw(`X-API-Key: ${key.slice(0, 20)} ${key.slice(20)}`)).text).toBe(refused);
  });

  test("the header's name is not case-sensitive, the key is", async () => {
    expect((await raw(`x-api-KEY: ${key}`)).status).toBe(200);
    expect((await raw(`X-API-Key: ${key.toLowerCase()}`)).status).toBe(401);
  });

  test('D4: a duplicated header is a 401, even twice the same key', async () => {
    expect((await raw(`X-API-Key: ${key}`, `X-API-Key: ${key}`)).text).toBe(refused);
    expect((await raw(`X-API-Key: ${key}`, 'X-API-Key: ')).text).toBe(refused);
  });
});

describe("Authentication 2: the key's text", () => {
  test('row 4: unknown, wrong checksum, prefix, character or case: byte-identical 401s', async () => {
    const flipped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    const otherCase = key.replace(/[a-z](?=.{3}$)|[a-z](?!.*[a-z])/, (letter) => letter.toUpperCase());
    const candidates = [
      unknownKey(),
      flipped,
      otherCase === key ? key.toUpperCase() : otherCase,
      key.replace('sk_store_', 'sk_other_'),
      `${key}a`,
      key.slice(0, -1),
      '',
      "' OR 1=1--",
      'a'.repeat(8_000),
      'ÿkey',
      'undefined',
      'null',
    ];
    const answers = await Promise.all(candidates.map((candidate) => world.call('GET', '/products', { key: candidate })));
    for (const answer of answers) expect([answer.status, answer.text]).toEqual([401, refused]);
    const headersOf = (answer: (typeof answers)[number]) => [...answer.headers.keys()].filter((name) => name !== 'date').sort();
    for (const answer of answers) expect(headersOf(answer)).toEqual(headersOf(answers[0]!));
  });
});

test("Authentication 5: no endpoint changes a key's scopes, rate limit or expiry", async () => {
  const { id } = (await createKey({ name: 'Fixed', scopes: ['sales:read'] })).body.api_key;
  for (const verb of ['PATCH', 'PUT', 'POST']) {
    const answer = await world.call(verb, `/api_keys/${id}`, { ...admin(), body: { api_key: { rate_limit: 5, scopes: ['sales:read'] } } });
    expect([answer.status, answer.body]).toEqual([404, { error: 'Not found' }]);
  }
});
