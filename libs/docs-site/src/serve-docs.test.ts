import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { endpoints, eventKinds } from '@store/contract';
import { openApiDocument } from '@store/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import express from 'express';
import type { CatalogueEvent } from './event-catalogue.ts';
import { breakable } from './html.ts';
import { guidePages, otherPages } from './pages.ts';
import { serveDocs } from './serve-docs.ts';

let server: Server;
let baseUrl: string;

beforeAll(async () => {
  const app = express();
  const options = { serverUrl: '/api/v1', served: endpoints() };
  serveDocs(app, { keys: openApiDocument({ audience: 'keys', ...options }), staff: openApiDocument({ audience: 'staff', ...options }) });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const get = (path: string, init: RequestInit = {}) => fetch(`${baseUrl}${path}`, { redirect: 'manual', ...init });
const pages = ['/docs', ...guidePages.map(({ name }) => `/docs/${name}`), ...otherPages.map(({ path }) => path)];

describe('the documentation', () => {
  test('needs no key, runs no foreign or inline script, and may be cached and checked', async () => {
    for (const path of pages) {
      const response = await get(path);
      expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
      const policy = response.headers.get('content-security-policy')!;
      expect(policy).toMatch(/default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/);
      expect(policy).not.toContain('unsafe-eval');
      expect(response.headers.get('cache-control')).toBe('public, max-age=60');
      const again = await get(path, { headers: { 'If-None-Match': response.headers.get('etag')! } });
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect(await response.text()).toMatch(/<main id="content"|<iframe title=/);
    }
  });

  test('is equal compressed or not, HEAD has its headers, an unknown page is a 404', async () => {
    const zipped = await get('/docs/api', { headers: { 'Accept-Encoding': 'gzip' } });
    const plain = await get('/docs/api', { headers: { 'Accept-Encoding': 'identity' } });
    expect([zipped.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual(['gzip', null]);
    expect(await zipped.text()).toBe(await plain.text());
    const head = await get('/docs/api', { method: 'HEAD', headers: { 'Accept-Encoding': 'identity' } });
    expect([head.headers.get('content-length'), await head.text()]).toEqual([plain.headers.get('content-length'), '']);
    const unknown = await get('/docs/nothing');
    expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining('There is no page here')]);
    const slashed = await get('/docs/api/');
    expect([slashed.status, slashed.headers.get('location')]).toEqual([308, '/docs/api']);
  });

  test('is where a browser is led from the root, and a program is not', async () => {
    const browser = await get('/', { headers: { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' } });
    expect([browser.status, browser.headers.get('location')]).toEqual([302, '/docs']);
    for (const Accept of ['*/*', 'application/json']) expect((await get('/', { headers: { Accept } })).status).toBe(404);
  });

  test('gives the viewer without compression to a client that takes none', async () => {
    const [path] = /\/docs\/assets\/[^"]+\/scalar\.js/.exec(await (await get('/docs/reference/keys.html')).text())!;
    const plain = await get(path, { headers: { 'Accept-Encoding': 'identity' } });
    const zipped = await get(path);
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const text = await plain.text();
    expect(text.length).toBeGreaterThan(1_000_000);
    expect((await zipped.text()) === text).toBe(true);
  });
});

test("only the viewer's frame runs its script, without an origin, framed by none else", async () => {
  for (const document of ['keys', 'staff']) {
    const frame = await get(`/docs/reference/${document}.html`);
    expect(await frame.text()).toContain('/scalar.js');
    expect(frame.headers.get('content-security-policy')).toMatch(/frame-ancestors 'self'; sandbox allow-scripts (?!.*same-origin)/);
  }
  for (const path of pages) expect(await (await get(path)).text()).not.toContain('scalar.js');
});

describe('the event catalogue', () => {
  test('has every event with an example that its JSON Schema accepts, and the test event', async () => {
    const { events } = (await (await get('/docs/events.json')).json()) as { events: CatalogueEvent[] };
    expect(events.map(({ event }) => event)).toEqual([...eventKinds().map(({ name }) => name), 'webhook.test']);
    expect(events.length).toBe(10);
    for (const { event, schema, example, headers } of events) {
      const ajv = new Ajv2020({ strict: false });
      (addFormats as unknown as (ajv: unknown) => void)(ajv);
      expect([event, ajv.validate(schema, example), ajv.errors]).toEqual([event, true, null]);
      expect(ajv.validate(schema, { ...example, data: undefined })).toBe(false);
      expect(headers.map(({ name }) => name)).toContain('X-Service-Signature');
      expect(await (await get(`/docs/events/${event}.json`)).json()).toEqual(schema);
    }
  });

  test('breaks names in tables between their parts only, readable on a phone', async () => {
    expect(await (await get('/docs/events')).text()).toContain('<code>purchase_<wbr>order.<wbr>received</code>');
    const rules = await (await get('/docs/api')).text();
    expect(rules).toContain('<code>variance_<wbr>status</code>');
    expect(rules.replaceAll(/<td>.*?<\/td>/gs, '')).not.toContain('<wbr>');
    const broken = ['gift_<wbr>cards:<wbr>read', '/purchase_<wbr>orders<wbr>/:id'];
    expect(['gift_cards:read', '/purchase_orders/:id'].map(breakable)).toEqual(broken);
  });

  test('shows the body of every event, and a voided sale as voided', async () => {
    const html = await (await get('/docs/events')).text();
    for (const { name } of eventKinds()) expect(html).toContain(`<h2 id="${name.replace('.', '')}">${name}`);
    const { events } = (await (await get('/docs/events.json')).json()) as { events: CatalogueEvent[] };
    const status = (name: string) => (events.find(({ event }) => event === name)!.example.data as { status: string }).status;
    expect([status('sale.completed'), status('sale.voided')]).toEqual(['completed', 'voided']);
  });
});
