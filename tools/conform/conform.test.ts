/** `npm run conform` on the product, and on servers before it that break a rule each. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '@store/testbed/temporary-folder';
import { fillStore } from '../../tests/journeys/filled-store.ts';
import { useWorld } from '../../tests/kit/use.ts';
import { runScript } from '../local/run-script.testing.ts';
import { conform, type RunOptions, textReport } from './run.ts';

interface Passed {
  status: number;
  headers: Headers;
  text: string;
}

/** Changes a request on its way to the product, or its answer. */
interface Lie {
  ask?: (url: string, headers: Headers) => string;
  answer?: (answer: Passed, method: string) => Partial<Passed> | undefined;
}

let lie: Lie = {};
const sent: string[] = [];
const folder = temporaryFolder();
const minuteMs = 60_000;

const world = await useWorld({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
await fillStore(world);
const webhook_subscription = { url: 'https://127.0.0.1:1025/', events: ['sale.voided'] };
const key = await world.newKey(world.store);
await world.call('POST', '/webhook_subscriptions', { key, body: { webhook_subscription } });
const server = createServer(async (request, response) => {
  const sentBody = await buffer(request);
  const headers = new Headers(Object.entries(request.headers) as [string, string][]);
  for (const name of ['connection', 'content-length', 'host', 'transfer-encoding']) headers.delete(name);
  const url = lie.ask?.(request.url!, headers) ?? request.url!;
  const method = request.method!;
  if (!['GET', 'HEAD', 'OPTIONS'].includes(method)) sent.push(`${method} ${url} ${sentBody}`);
  const body = sentBody.length > 0 && { body: sentBody };
  const got = await fetch(world.baseUrl + url, { method, headers, ...body });
  const said = { status: got.status, headers: new Headers(got.headers), text: await got.text() };
  const answer = { ...said, ...lie.answer?.(said, method) };
  // The text is decompressed.
  for (const name of ['transfer-encoding', 'content-encoding']) answer.headers.delete(name);
  if (method !== 'HEAD') answer.headers.delete('content-length');
  response.writeHead(answer.status, [...answer.headers].flat()).end(answer.text);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
const options: RunOptions = {
  baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
  key,
  staff: { email: world.store.email, password: world.store.password },
  write: true,
  callsMax: 5_000,
  // The test's clock moves only by a wait.
  wait: async () => void world.clock.advance(minuteMs),
};

/** What the run could leave behind. */
async function stored(): Promise<unknown[]> {
  const { token } = world.store;
  const lists = ['/products', '/customers', '/sales', '/purchase_orders', '/stock_adjustments'];
  const totals = await Promise.all(lists.map(async (list) => (await world.call('GET', list, { token })).body.pagination.total_count));
  const { api_keys } = (await world.call('GET', '/api_keys', { token })).body;
  return [...totals, api_keys.filter((one: { revoked_at: string | null }) => one.revoked_at === null).length];
}

describe('the product', () => {
  test('breaks no rule of the contract, and nothing is left of the run', async () => {
    const before = await stored();
    const report = await conform(options);
    expect(textReport(report)).toMatch(/^\d+ passed, 0 failed, 0 skipped; \d+ requests in [\d.]+ s\n$/);
    expect(report.results.length).toBeGreaterThan(1_000);
    expect(await stored()).toEqual(before);
  }, 600_000);

  test('is sent no body of a write without --write, and what is not tried says why', async () => {
    sent.length = 0;
    const report = await conform({ ...options, staff: undefined, write: false });
    expect(sent.filter((one) => !/ (\{\})?$/.test(one))).toEqual([]);
    expect(textReport(report)).toMatch(
      /^skipped \d+: it needs a staff login \(--staff\)\nskipped \d+: it sends writes \(--write\)\n\d+ passed, 0 failed/,
    );
  }, 300_000);

  test('is asked no more often than --max-calls allows, and the report says so', async () => {
    const report = await conform({ ...options, staff: undefined, callsMax: 20 });
    expect([report.calls, report.stopped]).toEqual([20, 'the limit of 20 requests is used up (--max-calls)']);
  });
});

/** Each row of a successful answer has these fields. */
const rows = (fields: (row: { id: number; name: string }) => object): Lie => ({
  answer: ({ status: is, text: whole }) => {
    if (is !== 200 || !whole.startsWith('{"data"')) return undefined;
    const body = JSON.parse(whole);
    const changed = (row: { id: number; name: string }) => ({ ...row, ...fields(row) });
    return { text: JSON.stringify({ ...body, data: Array.isArray(body.data) ? body.data.map(changed) : changed(body.data) }) };
  },
});
const status = (is: number, said: number): Lie => ({ answer: (answer) => (answer.status === is ? { status: said } : undefined) });
const text = (is: string, said: string): Lie => ({ answer: (answer) => ({ text: answer.text.replace(is, said) }) });
const heard = (is: string, as: string): Lie => ({ ask: (url) => url.replace(is, as) });
const without = (name: string): Lie => ({
  answer: ({ headers }) => ({ headers: new Headers([...headers].filter(([one]) => one !== name)) }),
});

const letIn: Lie = {
  ask: (url, headers) => {
    if (!headers.has('x-api-key') && !headers.has('authorization') && !url.endsWith('/staff_sessions'))
      headers.set('x-api-key', options.key);
    return url;
  },
};
/** Prefer is ignored. */
const deaf: Lie = {
  ask: (url, headers) => {
    headers.delete('prefer');
    return url;
  },
};

const lies: [sentence: string, lie: Lie][] = [
  ['A request without a key is treated', letIn],
  ['A missing scope is 403', status(403, 404)],
  ['A Test Mode key may make only GET and HEAD', text('Test Mode', 'test mode')],
  ['Without costs:read the keys cost', rows(() => ({ cost: null }))],
  ['Every successful answer to a key is wrapped', text('"meta"', '"about"')],
  ['The answer has the fields, types and presence', rows(() => ({ current_stock: '4' }))],
  ['HEAD is GET without the body', { answer: (_answer, method) => (method === 'HEAD' ? { status: 204 } : undefined) }],
  ['Timestamps are ISO 8601', rows(() => ({ created_at: '2026-11-21 09:30' }))],
  ['A path or verb that does not exist is 404', status(404, 405)],
  ['Every error has X-Error-Code', without('x-error-code')],
  ['per_page is at most 100', heard('per_page=101', 'per_page=99')],
  ['With Prefer: handling=strict a parameter', deaf],
  ['Products are sorted by name', rows(({ id, name }) => ({ name: id === 1 ? 'zzz' : name }))],
  ['Beyond the limit of a key is 429', without('retry-after')],
  ['Bad input is refused', text("can't be blank", 'is blank')],
];

test.each(lies)(
  'a server that breaks a rule fails it: "%s …"',
  async (sentence, its) => {
    lie = its;
    const report = await conform({ ...options, chooses: (rule) => rule.sentence.startsWith(sentence) });
    lie = {};
    expect([report.results.filter(({ outcome }) => outcome === 'failed').length > 0, report.stopped]).toEqual([true, undefined]);
    expect(textReport(report)).toContain(sentence);
  },
  120_000,
);

describe('npm run conform', () => {
  const run = (...args: string[]) =>
    runScript(['tools/conform/conform.ts', ...args], { STORE_DATA_DIR: folder, STORE_API_KEY: options.key });

  test('prints what failed with its sentence, without the key, and ends with 1', async () => {
    lie = status(404, 405);
    const { code, out } = await run(options.baseUrl, '--only', 'errors');
    lie = {};
    expect([code, out]).toEqual([1, expect.stringContaining('FAILED  errors: GET /nothing\n        A path or verb that does not exist')]);
    expect(out).not.toContain(options.key);
  }, 120_000);

  test.each([
    ['without a URL, where there is no demo store', [], /^error: a URL is missing, and no demo store is known/],
    ['with an area that there is not', ['--only', 'weather'], /^error: weather is no area; there are authentication, access, /],
  ])('%s ends with 2 and one sentence', async (_title, args, message) => {
    expect(await run(...args)).toEqual({ code: 2, out: '', error: expect.stringMatching(message) });
  });
});
