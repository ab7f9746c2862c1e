import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import express from 'express';
import { listeningServers } from '../../test/listening.ts';
import { adminFiles } from './admin-files.ts';

const listening = listeningServers();
let baseUrl: string;
let parent: string;
beforeAll(async () => {
  parent = mkdtempSync(path.join(tmpdir(), 'admin-files-'));
  const app = express();
  app.use(adminFiles(path.join(parent, 'built')));
  app.use((_request, response) => void response.writeHead(404).end('{"error":"Not found"}'));
  baseUrl = await listening(createServer(app));
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const get = (at: string, init: RequestInit = {}) => fetch(`${baseUrl}${at}`, init);

test('until the build is there, /admin says so and reloads itself; then it is served', async () => {
  const before = await get('/admin');
  expect([before.status, before.headers.get('refresh')]).toEqual([503, '2']);
  expect(await before.text()).toContain('is being built');
  const built = path.join(parent, 'made');
  mkdirSync(path.join(built, 'assets'), { recursive: true });
  writeFileSync(path.join(built, 'index.html'), '<meta name="csp-nonce" content="__CSP_NONCE__">');
  writeFileSync(path.join(built, 'manifest.json'), '{}');
  writeFileSync(path.join(built, 'assets/main-1a.js'), 'let main;'.repeat(50));
  writeFileSync(path.join(built, 'assets/main-1a.js.gz'), gzipSync('let main;'.repeat(50)));
  renameSync(built, path.join(parent, 'built'));
  expect((await get('/admin')).status).toBe(200);
});

test('every page is the index, with a nonce that its policy names, and is never cached', async () => {
  const nonces = [];
  for (const at of ['/admin', '/admin/', '/admin/keys?page=2']) {
    const answer = await get(at);
    const policy = answer.headers.get('content-security-policy')!;
    const nonce = /nonce-([^']+)'/.exec(policy)![1]!;
    expect(await answer.text()).toBe(`<meta name="csp-nonce" content="${nonce}">`);
    expect(policy).toContain("default-src 'none'; script-src 'self'; ");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    nonces.push(nonce);
  }
  expect(new Set(nonces).size).toBe(3);
});

test('an asset is compressed for who takes that, and may be cached for ever', async () => {
  const answer = await get('/admin/assets/main-1a.js');
  const head = { 'content-encoding': 'gzip', 'cache-control': 'public, max-age=31536000, immutable' };
  expect(Object.fromEntries(answer.headers)).toMatchObject({ ...head, 'content-type': 'text/javascript; charset=utf-8' });
  expect(await answer.text()).toBe('let main;'.repeat(50));
  const plain = await get('/admin/assets/main-1a.js', { headers: { 'Accept-Encoding': 'identity' } });
  expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, 'let main;'.repeat(50)]);
});

test.each([
  ['GZIP', 'gzip'],
  ['br;q=1.0, gzip;q=0.50', 'gzip'],
  ['*', 'gzip'],
  ['gzip; q=0', null],
  ['gzip;q=0.000, br', null],
  ['x-gzip', null],
])('Accept-Encoding %s: the asset comes as %s', async (accepted, encoding) => {
  const answer = await get('/admin/assets/main-1a.js', { method: 'HEAD', headers: { 'Accept-Encoding': accepted } });
  expect(answer.headers.get('content-encoding')).toBe(encoding);
});

test('no Accept-Encoding that fits into the headers delays other requests', async () => {
  const bytes = 15_000;
  const [zeros, blanks] = ['0.'.repeat(bytes / 2), ' \t'.repeat(bytes / 2)];
  for (const accepted of [`gzip;q=0.${zeros}x`, ' '.repeat(bytes), 'gzip,'.repeat(bytes / 5), `,${blanks}x`]) {
    const started = performance.now();
    await get('/admin/assets/main-1a.js', { headers: { 'Accept-Encoding': `identity,${accepted}` } });
    expect(performance.now() - started).toBeLessThan(1_000);
  }
});

test('nothing else is served: no other asset, file outside, method or path', async () => {
  expect((await get('/admin/assets/gone-2b.js')).status).toBe(404);
  expect(await (await get('/admin/manifest.json')).text()).toContain('csp-nonce');
  expect((await get('/admin/assets/main-1a.js.gz')).status).toBe(404);
  expect((await get('/admin', { method: 'POST' })).status).toBe(404);
  expect((await get('/administer')).status).toBe(404);
});
