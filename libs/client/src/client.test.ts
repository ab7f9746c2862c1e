import { describe, expect, test } from '@jest/globals';
import { type ClientSettings, isStoreError, StoreApiError, StoreClient, StoreConnectionError, verifySignature } from '@store/client';

interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: unknown;
}
type Answer = { status: number; headers?: Record<string, string>; body?: unknown } | Error;

/** A client whose requests are answered from a list, and whose waits are noted. */
function scripted(answers: Answer[], settings: Partial<ClientSettings> = {}) {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const fetch = async (url: URL, init: { method: string; headers: Record<string, string>; body?: string }) => {
    sent.push({ method: init.method, url: url.href, headers: init.headers, body: init.body && JSON.parse(init.body) });
    const answer = answers.shift();
    if (answer === undefined) throw new Error('the test has no further answer');
    if (answer instanceof Error) throw answer;
    return new Response(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? { data: {}, meta: {} }), answer);
  };
  const client = new StoreClient({
    baseUrl: 'https://shop.example.com/',
    key: 'sk',
    fetch: fetch as never,
    wait: async (ms, signal) => {
      signal?.throwIfAborted();
      waits.push(ms);
    },
    ...settings,
  });
  return { client, sent, waits };
}
const failed = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
const ok = (body: unknown): Answer => ({ status: 200, body });
const limited: Answer = {
  status: 429,
  headers: { 'retry-after': '17', 'x-error-code': 'rate_limited' },
  body: { error: 'Rate limit exceeded. Retry later.' },
};
const down: Answer = { status: 502, body: '<html>bad gateway</html>' };

describe('a call', () => {
  test('goes to its path with its parameters, query and body, in JSON, with the key', async () => {
    const { client, sent } = scripted([ok({ data: [] }), { status: 201 }, ok({ data: {} })], { strict: true });
    await client.call('listProducts', { query: { search: 'a&b', brand: undefined, per_page: 5 } });
    await client.call('createProduct', {
      body: { product: { name: 'Lantern' } },
      dryRun: true,
      strict: false,
      idempotencyKey: 'k1',
      requestId: 'request-1',
    });
    await client.call('getProduct', { params: { id: 7 } });
    expect(sent[0]).toMatchObject({ method: 'GET', url: 'https://shop.example.com/api/v1/products?search=a%26b&per_page=5' });
    expect(sent[0]!.headers).toEqual({ 'X-API-Key': 'sk', Accept: 'application/json', Prefer: 'handling=strict' });
    expect(sent[1]).toEqual({
      method: 'POST',
      url: 'https://shop.example.com/api/v1/products?dry_run=true',
      body: { product: { name: 'Lantern' } },
      headers: {
        'X-API-Key': 'sk',
        Accept: 'application/json',
        'Content-Type': 'application/json',
        'Idempotency-Key': 'k1',
        'X-Request-Id': 'request-1',
      },
    });
    expect(sent[2]!.url).toBe('https://shop.example.com/api/v1/products/7');
  });

  test('a wrong call is refused before anything is sent', async () => {
    const { client, sent } = scripted([]);
    expect(await failed(client.call('toString' as never))).toBeInstanceOf(TypeError);
    expect(await failed(client.call('getProduct', { params: {} } as never))).toEqual(new TypeError('getProduct needs the parameter id'));
    expect(() => new StoreClient({ baseUrl: 'https://x', key: '' })).toThrow('StoreClient needs a key');
    expect(sent).toEqual([]);
  });

  test('an error says the operation, the status, the code, the request and the messages', async () => {
    const body = { error: 'Validation failed: Price is not a number', errors: { price: ['is not a number'] } };
    const { client } = scripted([{ status: 422, headers: { 'x-error-code': 'invalid', 'x-request-id': 'r1' }, body }]);
    const error = await failed(client.call('createProduct', { body: { product: { name: 'x' } } }));
    expect(error).toBeInstanceOf(StoreApiError);
    expect(error).toMatchObject({ status: 422, code: 'invalid', requestId: 'r1', errors: body.errors, operation: 'createProduct' });
    expect((error as Error).message).toBe('createProduct: 422 Validation failed: Price is not a number');
    expect([isStoreError(error), isStoreError(error, 'conflict', 'invalid'), isStoreError(error, 'not_found'), isStoreError(body)]).toEqual(
      [true, true, false, false],
    );
  });
});

describe('a repetition', () => {
  test('waits as long as Retry-After says, and otherwise longer each time', async () => {
    const { client, waits } = scripted([limited, down, down, ok({ data: [] })]);
    await client.call('listBrands');
    expect(waits[0]).toBe(17_000);
    expect(waits[1]! >= 500 && waits[1]! <= 1_000).toBe(true);
    expect(waits[2]! >= 1_000 && waits[2]! <= 2_000).toBe(true);
  });

  test("D258: of a bulk request refused for a store's backlog is made after Retry-After", async () => {
    const backlog: Answer = { status: 503, headers: { 'retry-after': '5', 'x-error-code': 'backlog' }, body: { error: 'later' } };
    const { client, waits } = scripted([backlog, backlog, ok({ data: {} })]);
    await client.call('bulkUpsert', { body: { products: [{ sku: 'A' }] } });
    expect(waits).toEqual([5_000, 5_000]);
  });

  test("of a write has the first attempt's Idempotency-Key, also after a lost answer", async () => {
    const atWork = { status: 409, headers: { 'x-error-code': 'conflict' }, body: { error: 'x', details: 'Idempotency-Key is in use' } };
    const { client, sent } = scripted([new TypeError('fetch failed'), atWork, { status: 500 }, { status: 201 }]);
    await client.call('createProduct', { body: { product: { name: 'Lantern' } } });
    const keys = sent.map(({ headers }) => headers['Idempotency-Key']);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('of what has no Idempotency-Key is made only where nothing was done', async () => {
    const refused = scripted([limited, ok({ data: {} })]);
    await refused.client.call('deleteSubscription', { params: { id: 1 } });
    expect(refused.sent).toHaveLength(2);
    for (const answer of [down, new TypeError('fetch failed')]) {
      const { client, sent } = scripted([answer]);
      expect(await failed(client.call('deleteSubscription', { params: { id: 1 } }))).toBeInstanceOf(Error);
      expect(sent).toHaveLength(1);
    }
  });

  test('is not made of what fails again, and ends after four attempts with the last one', async () => {
    for (const status of [400, 401, 403, 404, 409, 422]) {
      const { client, sent } = scripted([{ status, body: { error: 'no' } }]);
      expect(await failed(client.call('getKey'))).toMatchObject({ status });
      expect(sent).toHaveLength(1);
    }
    const { client, sent } = scripted([down, down, down, new TypeError('fetch failed')]);
    expect(await failed(client.call('getKey'))).toBeInstanceOf(StoreConnectionError);
    expect(sent).toHaveLength(4);
  });

  test('ends at once when the caller aborts', async () => {
    const aborted = new AbortController();
    aborted.abort(new Error('enough'));
    const { client, sent } = scripted([down]);
    expect(await failed(client.call('getKey', { signal: aborted.signal }))).toEqual(new Error('enough'));
    expect(sent).toEqual([]);
  });
});

test('rows of a list come page by page, no page before its rows are wanted', async () => {
  const page = (n: number, link?: string): Answer => ({
    status: 200,
    headers: { ...(link && { link }) },
    body: { data: [{ id: n * 10 }, { id: n * 10 + 1 }] },
  });
  const next = (cursor: string) => `</api/v1/products?search=x&after=${cursor}>; rel="next"`;
  const { client, sent } = scripted([page(1, next('c1')), page(2, next('c2')), page(3)]);
  const ids: number[] = [];
  for await (const { id } of client.rows('listProducts', { query: { search: 'x', page: 7 } })) {
    ids.push(id);
    if (id === 21) break;
  }
  expect(ids).toEqual([10, 11, 20, 21]);
  expect(sent.map(({ url }) => new URL(url).search)).toEqual(['?per_page=100&search=x&after=', '?per_page=100&search=x&after=c1']);
  const rest = [];
  for await (const { data } of scripted([page(1, next('c1')), page(2)]).client.pages('listProducts')) rest.push(data.length);
  expect(rest).toEqual([2, 2]);
});

test('a list without pages is asked for once, with no parameter that it does not take', async () => {
  const { client, sent } = scripted([ok({ data: [{ id: 1 }] })]);
  const ids: number[] = [];
  for await (const { id } of client.rows('listCategories')) ids.push(id);
  expect([ids, sent.map(({ url }) => new URL(url).search)]).toEqual([[1], ['']]);
});

describe('events.follow', () => {
  const log = (sequences: number[], next: number, more = false) =>
    ok({ data: { events: sequences.map((sequence) => ({ sequence })), next_after: next, has_more: more, latest_sequence: 9 } });

  test('yields each event once in its order, over pages, waits and failures', async () => {
    const answers = [
      log([5, 6], 6, true),
      log([7], 8),
      new TypeError('fetch failed'),
      down,
      down,
      down,
      down,
      limited,
      log([], 8),
      log([9], 9),
    ];
    const { client, sent, waits } = scripted(answers, { attempts: 1 });
    const seen: number[] = [];
    for await (const { sequence } of client.events.follow(4, { types: ['product.created', 'sale.voided'], pollMs: 3_000 })) {
      seen.push(sequence);
      if (sequence === 9) break;
    }
    expect(seen).toEqual([5, 6, 7, 9]);
    const after = sent.map(({ url }) => new URL(url).searchParams.get('after'));
    expect(after).toEqual(['4', '6', '8', '8', '8', '8', '8', '8', '8', '8']);
    expect(new URL(sent[0]!.url).searchParams.get('types')).toBe('product.created,sale.voided');
    expect(waits.filter((ms) => ms === 3_000)).toHaveLength(2);
    expect(waits).toContain(17_000);
  });

  test('without a number begins at the end of the log; a refusal ends it', async () => {
    const { client, sent } = scripted([log([], 9), log([10], 10), { status: 403, body: { error: 'no' } }]);
    const events = client.events.follow();
    expect((await events.next()).value).toEqual({ sequence: 10 });
    expect(new URL(sent[1]!.url).searchParams.get('after')).toBe('9');
    expect(await failed(events.next())).toMatchObject({ status: 403 });
  });
});

test('the verification of webhooks is part of it', () => {
  expect(verifySignature({ rawBody: 'x', secrets: ['whsec_x'], headers: {} })).toBe(false);
});
