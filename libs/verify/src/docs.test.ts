/** Runs the receivers shown in docs/webhooks.md, taken from its text: they accept signed requests and nothing else. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { verifySignature } from '@store/verify';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const guide = readFileSync(path.join(root, 'docs/webhooks.md'), 'utf8');
const startWithinMs = 180_000;

function shown(file: string): string {
  const block = [...guide.matchAll(/```\w+\n([\s\S]*?)```/g)]
    .map((match) => match[1]!)
    .find((code) => /^(\/\/|#) (\S+)\n/.exec(code)?.[2] === file);
  if (!block) throw new Error(`docs/webhooks.md shows no ${file}`);
  return block;
}

const has = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
const receivers: { file: string; command: string[]; available: boolean }[] = [
  { file: 'receiver.ts', command: [process.execPath, '--no-warnings'], available: true },
  { file: 'receiver.py', command: ['python3'], available: has('python3', '--version') },
  { file: 'receiver.go', command: ['go', 'run'], available: has('go', 'version') },
];

const secrets = [7, 8].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`);
const body = Buffer.from('{"id":"7b0c6b0e","event":"product.updated","resource_id":7,"data":{"name":"Crème \u2028 🎁"}}');
const signed = (secret: string, bytes: Buffer = body) => `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`;

interface Running {
  child: ChildProcess;
  folder: string;
  lines: string[];
  url: string;
}
let running: Running | undefined;

afterEach(async () => {
  if (!running) return;
  const { child, folder } = running;
  running = undefined;
  if (child.exitCode === null) {
    // `go run` starts the program as its child, so the whole process group is ended.
    process.kill(-child.pid!, 'SIGKILL');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

async function start({ file, command }: (typeof receivers)[number]): Promise<Running> {
  // Inside the checkout, where the TypeScript one finds @store/verify.
  mkdirSync(path.join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(path.join(root, '.cache/receiver-'));
  writeFileSync(path.join(folder, file), shown(file));
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRETS: secrets.join(','), GO111MODULE: 'off', GOTOOLCHAIN: 'local' };
  const [program, ...args] = command;
  const child = spawn(program!, [...args, path.join(folder, file)], {
    env,
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  running = { child, folder, lines, url: `http://127.0.0.1:${port}/hooks` };
  const reader = createInterface({ input: child.stdout! });
  await Promise.race([once(reader, 'line'), once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended`)))]);
  reader.on('line', (line) => lines.push(line));
  return running;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

async function send(url: string, signature: string | undefined, { bytes = body, delivery = '7b0c6b0e' } = {}): Promise<number> {
  const headers = {
    'X-Service-Event': 'product.updated',
    'X-Service-Delivery': delivery,
    ...(signature !== undefined && { 'X-Service-Signature': signature }),
  };
  const response = await fetch(url, { method: 'POST', body: new Uint8Array(bytes), headers });
  return response.status;
}

describe.each(receivers)('docs/webhooks.md: $file', (receiver) => {
  (receiver.available ? test : test.skip)(
    'accepts what either secret signed, refuses all else, handles a repeat once',
    async () => {
      const { url, lines } = await start(receiver);
      expect(await send(url, signed(secrets[0]!))).toBe(204);
      expect(await send(url, signed(secrets[1]!))).toBe(204);
      expect(await send(url, signed(secrets[1]!), { delivery: 'another' })).toBe(204);
      const refused = [
        undefined,
        '',
        'sha256=',
        'sha256=é',
        signed('whsec_x'),
        signed(secrets[0]!).toUpperCase(),
        signed(secrets[0]!).slice(7),
      ];
      for (const signature of refused) expect([signature, await send(url, signature)]).toEqual([signature, 401]);
      const altered = Buffer.from(body.toString('utf8').replace('"resource_id":7', '"resource_id":8'));
      expect(await send(url, signed(secrets[0]!), { bytes: altered, delivery: 'altered' })).toBe(401);
      // Sends one new request, so that everything before it has been printed.
      expect(await send(url, signed(secrets[0]!), { delivery: 'last' })).toBe(204);
      while (lines.length < 3) await once(running!.child.stdout!, 'data');
      expect(lines).toEqual(['product.updated 7', 'product.updated 7', 'product.updated 7']);
    },
    startWithinMs,
  );
});

test('docs/webhooks.md: its request verifies with the secret it names, both schemes', () => {
  const [head, shownBody] = /```http\n([\s\S]*?)```/.exec(guide)![1]!.split('\n\n');
  const headers = Object.fromEntries(
    head!
      .split('\n')
      .slice(1)
      .map((line) => line.split(': ') as [string, string]),
  );
  const request = { rawBody: shownBody!.trim(), headers, secrets: [/secret of this one is `(\S+)`/.exec(guide)![1]!] };
  expect(verifySignature(request)).toBe(true);
  const now = new Date(Number(headers['webhook-timestamp']) * 1000);
  expect(verifySignature({ ...request, scheme: 'standard', now })).toBe(true);
});

test('docs/webhooks.md names every event, every retried outcome and every wait', () => {
  const events = ['sale.completed', 'sale.voided', 'product.created', 'product.updated', 'product.deleted'];
  for (const event of [...events, 'customer.created', 'customer.updated', 'inventory.adjusted', 'purchase_order.received']) {
    expect(guide).toContain(`| \`${event}\` |`);
  }
  for (const wait of ['1 minute', '5 minutes', '30 minutes', '2 hours']) expect(guide).toContain(`| ${wait} |`);
});
