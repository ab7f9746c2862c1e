/** Large answers to reads are compressed for who takes gzip; with the same body, headers and versions as plain ones. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, test } from '@jest/globals';
import { shareDoor } from '../../test/http-under-test.ts';

const gateway = shareDoor();
let token: string;
const presets = (count: number) => Array.from({ length: count }, (_, n) => ({ label: `Preset ${n}`.padEnd(50, '.'), percentage: '10.00' }));

beforeAll(async () => {
  token = (await gateway.store()).token;
});

interface Sent {
  status: number;
  headers: Record<string, string | undefined>;
  raw: Buffer;
}

/** As it comes over the wire: fetch would ask for gzip, and decompress. */
async function ask(
  path: string,
  { method = 'GET', body, ...headers }: Record<string, string> & { method?: string; body?: string },
): Promise<Sent> {
  const all = { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }), ...headers };
  const asked = request(`${gateway.baseUrl}/api/v1${path}`, { method, headers: all }).end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: answer.statusCode!, headers: answer.headers as Sent['headers'], raw: await buffer(answer) };
}
const gzip = { 'Accept-Encoding': 'br;q=1.0, gzip;q=0.5' };

async function withPresets(count: number): Promise<Sent> {
  const url = `https://example.com/${'a'.repeat(40 * count)}`;
  const [header, footer] = ['b'.repeat(20 * count), 'c'.repeat(20 * count)];
  const settings = { discount_presets: presets(count), branding: { url }, receipt_printer: { header, footer } };
  const body = JSON.stringify({ settings });
  const answer = await ask('/settings', { method: 'PATCH', body, ...gzip });
  expect(answer.status).toBe(200);
  return answer;
}

test('a large answer is compressed for gzip alone, with Content-Length and Vary', async () => {
  const patched = await withPresets(50);
  await gateway.drain();
  for (const path of ['/settings', '/audit_entries']) {
    const [plain, refused, small] = [await ask(path, {}), await ask(path, { 'Accept-Encoding': 'gzip;q=0, *' }), await ask(path, gzip)];
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
    expect(refused.raw.toString()).toBe(plain.raw.toString());
    expect([small.status, small.headers['content-encoding'], small.headers.vary]).toEqual([200, 'gzip', 'Accept-Encoding']);
    expect(small.headers).toMatchObject({ 'content-length': `${small.raw.length}`, 'content-type': plain.headers['content-type'] });
    expect(gunzipSync(small.raw).toString()).toBe(plain.raw.toString());
    expect(small.raw.length).toBeLessThan(plain.raw.length / 4);
    const head = await ask(path, { method: 'HEAD', ...gzip });
    expect([head.raw.length, head.headers['content-length'], head.headers['content-encoding']]).toEqual([0, `${small.raw.length}`, 'gzip']);
  }
  // An answer to a write stays plain, however large it is: such answers may hold a secret.
  expect([patched.headers['content-encoding'], patched.headers.vary, patched.raw.length > 8_192]).toEqual([undefined, undefined, true]);
});

test('its version is weak, and is accepted as the strong one for a 304 and a change', async () => {
  await withPresets(50);
  const strong = (await ask('/settings', {})).headers.etag!;
  const weak = (await ask('/settings', gzip)).headers.etag!;
  expect([strong, weak]).toEqual([expect.stringMatching(/^"[\w-]{22}"$/), `W/${strong}`]);
  for (const known of [strong, weak]) {
    const { status, headers, raw } = await ask('/settings', { 'If-None-Match': known, ...gzip });
    expect([status, headers.vary, headers['content-encoding'], raw.length]).toEqual([304, 'Accept-Encoding', undefined, 0]);
  }
  const changed = await ask('/settings', { method: 'PATCH', body: '{"settings":{"locale":"fr"}}', 'If-Match': weak });
  expect(changed.status).toBe(200);
});

test('a small answer stays plain', async () => {
  await withPresets(1);
  const { headers, raw } = await ask('/settings', gzip);
  expect([headers['content-encoding'], headers['content-length'], headers.vary]).toEqual([undefined, `${raw.length}`, 'Accept-Encoding']);
});
