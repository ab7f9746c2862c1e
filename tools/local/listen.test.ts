/** `npm run listen` as a developer runs it; requests are signed by the sender's own code. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Listening, startListening } from './listen.testing.ts';
import { listenCaForStart } from './listen-ca.ts';

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const body = '{"id":"e1","event":"product.updated","data":{"name":"Lantern"}}';
const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const headers = {
  'X-Service-Event': 'product.updated',
  'X-Service-Delivery': 'e1',
  'X-Service-Attempt': '2',
  'X-Service-Sequence': '42',
  'X-Service-Request': 'req-0001',
};

let dir: string;
let listening: Listening | undefined;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'listen-'));
});
afterEach(async () => {
  await listening?.end();
  rmSync(dir, { recursive: true });
});

async function listen(...args: string[]) {
  listening = startListening(dir, ...args);
  const { until } = listening;
  return { url: /https?:\/\/[\d.:]+/.exec(await until('Listening on'))![0], until };
}

const post = (url: string, more: Record<string, string>) => fetch(url, { method: 'POST', body, headers: { ...headers, ...more } });

describe('npm run listen', () => {
  test('prints a line and the pretty body of each delivery, verified, and answers 200', async () => {
    const { url, until } = await listen('--secret', secret);
    await until('HTTPS URL');
    expect((await post(url, { 'X-Service-Signature': signature })).status).toBe(200);
    const printed = await until('Lantern');
    expect(printed).toMatch(
      /Z {2}verified {2}product\.updated {2}delivery e1 {2}attempt 2 {2}sequence 42 {2}request req-0001 {2}63 bytes {2}answered 200\n/,
    );
    expect(printed).toContain('    "name": "Lantern"');
  });

  test('reports a delivery that no secret signed, and answers as configured', async () => {
    const { url, until } = await listen('--secret', 'whsec_other', '--secret', secret, '--status', '503');
    await until('HTTPS URL');
    expect((await post(url, { 'X-Service-Signature': signature })).status).toBe(503);
    expect(await until('Lantern')).toContain('  verified  ');
    await post(url, { 'X-Service-Signature': signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')) });
    expect(await until('Lantern')).toContain('  BAD SIGNATURE  ');
    await post(url, { 'X-Service-Signature': signature, 'webhook-signature': 'v1,x', 'webhook-id': 'e1', 'webhook-timestamp': '1' });
    expect(await until('Lantern')).toContain('  BAD webhook-signature  ');
  });

  test('with --forward it passes requests on unchanged, or a 502 while that is down', async () => {
    const received = Promise.withResolvers<{ url?: string; signature: unknown; text: string }>();
    const receiver = createServer(async (request, response) => {
      received.resolve({ url: request.url, signature: request.headers['x-service-signature'], text: await text(request) });
      response.writeHead(422).end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const to = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks?a=1`;
    const { url, until } = await listen('--secret', secret, '--forward', to);
    await until('HTTPS URL');
    expect((await post(url, { 'X-Service-Signature': signature })).status).toBe(422);
    expect(await received.promise).toEqual({ url: '/hooks?a=1', signature, text: body });
    expect(await until('Lantern')).toMatch(/ {2}verified {2}.*answered 422\n/);
    receiver.closeAllConnections();
    receiver.close();
    await once(receiver, 'close');
    expect((await post(url, { 'X-Service-Signature': signature })).status).toBe(502);
  });

  test('without a secret it verifies nothing and says so', async () => {
    const { url, until } = await listen();
    await until('not verified');
    await post(url, {});
    expect(await until('Lantern')).toContain('  NOT VERIFIED  ');
  });

  test("with --tls it names the authority's file, which the next start keeps", async () => {
    const { url, until } = await listen('--tls', '--secret', secret);
    const file = /WEBHOOK_CA_FILE=(\S+)/.exec(await until('WEBHOOK_CA_FILE'))![1]!;
    const request = https.request(url, {
      method: 'POST',
      ca: readFileSync(file),
      headers: { ...headers, 'X-Service-Signature': signature },
    });
    request.end(body);
    const [response] = await once(request, 'response');
    response.resume();
    expect(response.statusCode).toBe(200);
    expect(await until('Lantern')).toContain('  verified  ');
    const kept = readFileSync(file, 'utf8');
    await listening!.end();
    await (await listen('--tls')).until('WEBHOOK_CA_FILE');
    expect(readFileSync(file, 'utf8')).toBe(kept);
  });

  test('its authority may be made by the start that names the file, and is kept', async () => {
    const file = path.join(dir, 'listen-ca.pem');
    listenCaForStart(dir, path.join(tmpdir(), 'another.pem'));
    listenCaForStart(dir, undefined);
    expect(existsSync(file)).toBe(false);
    listenCaForStart(dir, path.relative(process.cwd(), file));
    const certificate = readFileSync(file, 'utf8');
    await (await listen('--tls')).until(`WEBHOOK_CA_FILE=${file}`);
    expect(readFileSync(file, 'utf8')).toBe(certificate);
  });
});
