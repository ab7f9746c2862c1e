/** The conformance pack against the product itself, and against a server that breaks one rule at a time. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type World } from '../../tests/journeys/world.ts';
import { fillStore } from './fill-store.ts';
import { lies } from './lies.ts';
import { type LyingServer, openLyingServer, type Passing } from './lying-server.ts';
import { textReport } from './report.ts';
import { conform, type RunOptions } from './run.ts';

let world: World;
let lying: LyingServer;
let options: RunOptions;
let folder: string;
const minuteMs = 60_000;
const webhookUrl = 'https://127.0.0.1:1025/';

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'conform-'));
  world = await openWorld({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
  lying = await openLyingServer(world.baseUrl);
  await fillStore(world);
  const key = await world.newKey(world.store);
  const webhook_subscription = { url: webhookUrl, events: ['sale.voided'] };
  await world.call('POST', '/webhook_subscriptions', { key, body: { webhook_subscription } });
  options = {
    baseUrl: `${world.baseUrl}/api/v1`,
    key,
    staff: { email: world.store.email, password: world.store.password },
    write: true,
    webhookUrl,
    callsMax: 3_000,
    secondsMax: 600,
    // The world's clock stands still: a wait moves it.
    wait: async () => void world.clock.advance(minuteMs),
  };
}, 300_000);
afterAll(async () => {
  await lying.close();
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What is in the store and was made by a key, apart from revoked keys and the deleted. */
async function madeBy(): Promise<unknown[]> {
  const { key } = options;
  const lists = ['/products?search=conform', '/customers?q=conform', '/webhook_subscriptions'];
  const rows = await Promise.all(lists.map(async (list) => (await world.call('GET', list, { key })).body.data.length));
  const { body } = await world.call('GET', '/api_keys', { token: world.store.token });
  return [...rows, body.api_keys.filter((one: { revoked_at: string | null }) => one.revoked_at === null).length];
}

describe('the product', () => {
  test('breaks no rule of the contract, and nothing is left of the run', async () => {
    const before = await madeBy();
    const report = await conform(options);
    expect(textReport(report)).toMatch(/^\d+ passed, 0 failed, 0 skipped; \d+ requests in [\d.]+ s\n$/);
    expect(report.results.length).toBeGreaterThan(1_000);
    expect(await madeBy()).toEqual(before);
  }, 600_000);

  test('is only read without --write, and what is not tried says why', async () => {
    const sent: string[] = [];
    const ask = (request: Passing) => {
      if (!['', '{}'].includes(request.body)) sent.push(`${request.method} ${request.url}`);
      return request;
    };
    lying.lie = { ask };
    const chooses: RunOptions['chooses'] = ({ area }) => ['products-write', 'stock', 'limits', 'webhooks'].includes(area);
    const report = await conform({ ...options, baseUrl: lying.baseUrl, staff: undefined, write: false, chooses });
    expect(sent).toEqual([]);
    expect(textReport(report)).toMatch(
      /^skipped \d+: it stores something \(--write\)\nskipped \d+: it needs a staff login \(--staff\)\n\d+ passed, 0 failed/,
    );
  });

  test('is asked no more often than --max-calls allows, and the report says so', async () => {
    const report = await conform({ ...options, staff: undefined, callsMax: 20 });
    expect([report.calls, report.stopped]).toEqual([20, 'the limit of 20 requests is used up (--max-calls)']);
  });
});

const enough = 12;

describe('a server that breaks a rule', () => {
  test.each(lies)(
    'is told: "%s …"',
    async (sentence, lie) => {
      lying.lie = lie(options.key);
      let chosen = 0;
      // Of a sentence that is tried on every endpoint, some are enough.
      const chooses: RunOptions['chooses'] = (check) => check.sentence.startsWith(sentence) && ++chosen <= enough;
      const report = await conform({ ...options, baseUrl: lying.baseUrl, chooses });
      const failed = report.results.filter(({ outcome }) => outcome === 'failed');
      expect([report.results.length > 0, failed.length > 0, report.stopped]).toEqual([true, true, undefined]);
      expect(textReport(report)).toContain(sentence);
    },
    120_000,
  );
});

describe('npm run conform', () => {
  const broken = 'has_variance is true';
  const script = fileURLToPath(new URL('./conform.ts', import.meta.url));
  const run = (...args: string[]) =>
    new Promise<{ code: number; out: string; error: string }>((resolve) => {
      const env = { PATH: process.env.PATH, STORE_API_KEY: options.key };
      execFile(process.execPath, ['--no-warnings', script, ...args], { env }, (failure, out, error) =>
        resolve({ code: failure ? Number(failure.code) : 0, out, error }),
      );
    });

  test('prints what failed with its sentence, writes both reports, and ends with 1', async () => {
    lying.lie = lies.find(([sentence]) => sentence === broken)![1](options.key);
    const [junit, json, login] = ['junit.xml', 'report.json', 'login'].map((name) => path.join(folder, name)) as [string, string, string];
    writeFileSync(login, `${world.store.email}:${world.store.password}\n`);
    const args = ['--base-url', lying.baseUrl, '--staff', `@${login}`, '--only', 'purchase-orders', '--junit', junit, '--json', json];
    const { code, out } = await run(...args);
    expect(code).toBe(1);
    expect(out).toContain(`FAILED  purchase-orders: GET /purchase_orders\n        ${broken}`);
    const report = JSON.parse(readFileSync(json, 'utf8'));
    const counts = (outcome: string) => report.checks.filter((check: { outcome: string }) => check.outcome === outcome).length;
    expect([report.conformant, counts('failed') > 0, counts('passed') > 5]).toEqual([false, true, true]);
    const text = readFileSync(junit, 'utf8');
    expect(text).toContain('<testsuite name="purchase-orders"');
    expect(text.match(/<failure /g)).toHaveLength(counts('failed'));
    expect(out + text + JSON.stringify(report)).not.toContain(options.key);
  }, 120_000);

  test.each([
    ['without --base-url', [], 'error: --base-url is missing (--help shows what there is)\n'],
    ['with an area that there is not', ['--only', 'weather'], /^error: weather is no area; there are authentication, access, /],
  ])('%s ends with 2 and one sentence', async (_title, args, message) => {
    const { code, out, error } = await run(...args);
    expect([code, out]).toEqual([2, '']);
    expect(error).toMatch(message);
  });
});
