/** Real receivers on this machine that do their worst; the timers are shortened, their kinds are not. */

import { once } from 'node:events';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import tls from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { selfSignedCertificate, throwAwayCa } from '@store/testbed/certificates';
import { attempt } from './attempt.ts';
import { readCidr } from './classify-address.ts';
import type { AttemptOptions, HostResolver, Outcome } from './types.ts';

const ca = throwAwayCa();
const good = ca.issue({ names: ['127.0.0.1', '127.0.0.2', 'hooks.store-receiver.org'] });
const resolvesTo = (...addresses: string[]): HostResolver => ({ resolve4: async () => addresses, resolve6: async () => [] });
const options: AttemptOptions = {
  allowCidrs: [readCidr('127.0.0.0/8')],
  caPem: ca.caPem,
  resolver: resolvesTo('127.0.0.1'),
  connectTimeoutMs: 400,
  responseTimeoutMs: 500,
  ports: { always: [443], from: 1024 },
};
/** A slot is free again after both timers and a margin, as 15.5 s is after 5 s and 10 s. */
const slotMs = options.connectTimeoutMs + options.responseTimeoutMs + 300;

interface Receiver {
  url: string;
  port: number;
  connections: number;
  /** What arrived, of all connections. */
  received: Buffer[];
}
const open: { server: Server; sockets: Set<Socket> }[] = [];

async function listen(server: Server, host = '127.0.0.1', port = 0): Promise<Receiver> {
  const sockets = new Set<Socket>();
  const receiver: Receiver = { url: '', port: 0, connections: 0, received: [] };
  server.on('connection', (socket: Socket) => {
    receiver.connections += 1;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
  });
  server.listen(port, host);
  await once(server, 'listening');
  open.push({ server, sockets });
  receiver.port = (server.address() as AddressInfo).port;
  receiver.url = `https://${host}:${receiver.port}/hook?a=1`;
  return receiver;
}

/** A TLS receiver that is handed the bare connection once the request has arrived in full. */
async function receiverThat(answers: (socket: tls.TLSSocket) => void, certificate = good, host = '127.0.0.1'): Promise<Receiver> {
  const server = tls.createServer(certificate, (socket) => {
    let seen = Buffer.alloc(0);
    let answered = false;
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      seen = Buffer.concat([seen, chunk]);
      const headEnd = seen.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(seen.toString('latin1'))?.[1]);
      if (answered || headEnd < 0 || seen.length < headEnd + 4 + length) return;
      answered = true;
      receiver.received.push(seen);
      answers(socket);
    });
  });
  const receiver = await listen(server, host);
  return receiver;
}

afterEach(async () => {
  for (const { server, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  }
});

/** RST on the newest connection: only the bare socket under TLS can send one. */
function resetLast(): void {
  [...open.at(-1)!.sockets].at(-1)!.resetAndDestroy();
}

const body = Buffer.from('{"id":"e1","data":{"name":"Lantern — ☃"}}');
const post = (url: string, changes: Partial<AttemptOptions> = {}, bytes = body) =>
  attempt({
    url,
    body: bytes,
    headers: { 'Content-Type': 'application/json', 'X-Service-Event': 'product.updated' },
    options: { ...options, ...changes },
  });

/** The outcome without its duration, and that the slot was free in time. */
async function outcomeOf(work: Promise<Outcome>): Promise<string> {
  const startedAt = performance.now();
  const outcome = await work;
  expect(performance.now() - startedAt).toBeLessThan(slotMs);
  return outcome.kind === 'response' ? `status ${outcome.status}` : outcome.reason;
}

const every = (socket: Socket, ms: number, write: () => void) => {
  const timer = setInterval(() => (socket.writable ? write() : clearInterval(timer)), ms);
  socket.once('close', () => clearInterval(timer));
};

describe('a receiver that answers', () => {
  test('gets one POST with the very bytes, its own name in Host, and nothing of ours besides', async () => {
    const receiver = await receiverThat((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
    expect(await outcomeOf(post(receiver.url))).toBe('status 204');
    const [head, ...rest] = receiver.received[0]!.toString('utf8').split('\r\n\r\n');
    expect(head!.split('\r\n').toSorted()).toEqual([
      'Connection: close',
      `Content-Length: ${body.byteLength}`,
      'Content-Type: application/json',
      `Host: 127.0.0.1:${receiver.port}`,
      'POST /hook?a=1 HTTP/1.1',
      'X-Service-Event: product.updated',
    ]);
    expect(rest.join('')).toBe(body.toString('utf8'));
  });

  test.each([200, 201, 204, 299, 300, 301, 302, 303, 307, 308, 400, 401, 404, 410, 422, 429, 500, 502, 503, 504, 599])(
    'with %d is reported with that',
    async (status) => {
      const receiver = await receiverThat((socket) => socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`));
      expect(await outcomeOf(post(receiver.url))).toBe(`status ${status}`);
    },
  );

  test('is connected to anew for each attempt', async () => {
    const receiver = await receiverThat((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok'),
    );
    for (let n = 1; n <= 3; n++) expect(await outcomeOf(post(receiver.url))).toBe('status 200');
    expect(receiver.connections).toBe(3);
  });

  test('with a redirect is not followed, and its cookie is not sent back', async () => {
    const trap = await listen(net.createServer());
    const location = `http://127.0.0.1:${trap.port}/`;
    const receiver = await receiverThat((socket) =>
      socket.end(`HTTP/1.1 308 X\r\nLocation: ${location}\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n`),
    );
    expect(await outcomeOf(post(receiver.url))).toBe('status 308');
    expect(await outcomeOf(post(receiver.url))).toBe('status 308');
    expect(trap.connections).toBe(0);
    expect(receiver.received[1]!.toString()).not.toMatch(/cookie/i);
  });

  test('is reached directly whatever the proxy variables say', async () => {
    const trap = await listen(net.createServer());
    const receiver = await receiverThat((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = names.map((name) => [name, process.env[name]] as const);
    for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${trap.port}`;
    try {
      expect(await outcomeOf(post(receiver.url))).toBe('status 200');
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
    expect(trap.connections).toBe(0);
  });

  test('by name is verified by that name and reached at the judged address, without asking again', async () => {
    const receiver = await receiverThat((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'), good, '127.0.0.2');
    const trap = await listen(net.createServer(), '127.0.0.1', receiver.port);
    let asked = 0;
    const flipping: HostResolver = { resolve4: async () => (asked++ === 0 ? ['127.0.0.2'] : ['127.0.0.1']), resolve6: async () => [] };
    const url = `https://Hooks.Store-Receiver.org.:${receiver.port}/hook`;
    expect(await outcomeOf(post(url, { resolver: flipping }))).toBe('status 200');
    expect(asked).toBe(1);
    expect(trap.connections).toBe(0);
    expect(receiver.received[0]!.toString()).toContain(`Host: hooks.store-receiver.org:${receiver.port}\r\n`);
  });

  test('on one of its addresses is reached though another refuses, by one POST', async () => {
    const receiver = await receiverThat((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'), good, '127.0.0.2');
    const url = `https://hooks.store-receiver.org:${receiver.port}/`;
    expect(await outcomeOf(post(url, { resolver: resolvesTo('127.0.0.1', '127.0.0.2') }))).toBe('status 200');
    expect(receiver.received).toHaveLength(1);
  });
});

describe('an address that is not allowed', () => {
  const names: [string, string[]][] = [
    ['the loopback address', ['127.0.0.1']],
    ['a public and the loopback address', ['93.184.216.34', '127.0.0.1']],
    ['the mapped loopback address', ['::ffff:127.0.0.1']],
  ];
  test.each(names)('is never connected to: a name with %s', async (_title, addresses) => {
    const trap = await listen(net.createServer());
    const resolver = resolvesTo(...addresses);
    expect(await outcomeOf(post(`https://hooks.store-receiver.org:${trap.port}/`, { allowCidrs: [], resolver }))).toBe('blocked');
    expect(trap.connections).toBe(0);
  });

  test('rebinding: a name that turns to loopback between deliveries reaches nothing, 1,000 times', async () => {
    const trap = await listen(net.createServer());
    const url = `https://hooks.store-receiver.org:${trap.port}/`;
    const outcomes = new Set<string>();
    for (let n = 0; n < 1_000; n++) outcomes.add(await outcomeOf(post(url, { allowCidrs: [], resolver: resolvesTo('127.0.0.1') })));
    expect([...outcomes]).toEqual(['blocked']);
    expect(trap.connections).toBe(0);
  });

  test.each([
    ['http://127.0.0.1:8080/', 'not_https'],
    ['https://127.0.0.1:80/', 'blocked'],
    ['https://localhost:8443/', 'blocked'],
    ['https://10.0.0.1:8443/', 'blocked'],
  ])('%s comes to %s', async (url, expected) => {
    expect(await outcomeOf(post(url))).toBe(expected);
  });
});

describe('a receiver that cannot be had', () => {
  test('refuses the connection', async () => {
    const receiver = await receiverThat(() => undefined);
    const { server } = open.pop()!;
    server.close();
    await once(server, 'close');
    expect(await outcomeOf(post(receiver.url))).toBe('refused');
  });

  test('has a name that does not resolve', async () => {
    const failing: HostResolver = {
      resolve4: () => Promise.reject(new Error('ENOTFOUND')),
      resolve6: () => Promise.reject(new Error('ENOTFOUND')),
    };
    expect(await outcomeOf(post('https://hooks.store-receiver.org/', { resolver: failing }))).toBe('dns');
  });

  test('has a name server that never answers', async () => {
    const silent: HostResolver = { resolve4: () => new Promise(() => undefined), resolve6: () => new Promise(() => undefined) };
    expect(await outcomeOf(post('https://hooks.store-receiver.org/', { resolver: silent }))).toBe('dns');
  });

  test('spends its connect time on DNS and TLS together', async () => {
    const receiver = await listen(net.createServer());
    const slow: HostResolver = {
      resolve4: () => new Promise((resolve) => setTimeout(() => resolve(['127.0.0.1']), 250)),
      resolve6: async () => [],
    };
    const outcome = await post(`https://hooks.store-receiver.org:${receiver.port}/`, { resolver: slow });
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'timeout' });
    expect(outcome.durationMs).toBeLessThan(options.connectTimeoutMs + 150);
  });

  const expired = { names: ['127.0.0.1'], notBefore: new Date(Date.now() - 10 * 86_400_000), notAfter: new Date(Date.now() - 60_000) };
  const early = { names: ['127.0.0.1'], notBefore: new Date(Date.now() + 3_600_000) };
  test.each([
    ['signed by itself', selfSignedCertificate({ names: ['127.0.0.1'] })],
    ['of an unknown authority', throwAwayCa().issue({ names: ['127.0.0.1'] })],
    ['that has expired', ca.issue(expired)],
    ['that is not valid yet', ca.issue(early)],
    ['for another host', ca.issue({ names: ['other.example.org', '127.0.0.9'] })],
  ])('has a certificate %s: nothing is sent', async (_title, certificate) => {
    const receiver = await receiverThat((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'), certificate);
    expect(await outcomeOf(post(receiver.url))).toBe('tls');
    expect(receiver.received).toEqual([]);
  });

  test('speaks no TLS at all', async () => {
    const receiver = await listen(net.createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
    expect(await outcomeOf(post(receiver.url))).toBe('tls');
  });

  test('hangs up in the handshake', async () => {
    const receiver = await listen(net.createServer((socket) => socket.destroy()));
    expect(await outcomeOf(post(receiver.url))).toBe('reset');
  });
});

describe('a hostile receiver frees its slot in time and decides nothing but the outcome', () => {
  const head = 'HTTP/1.1 200 OK\r\n';
  const silent = () => undefined;
  const cases: [string, (socket: tls.TLSSocket) => void, string][] = [
    ['TLS and then silence', silent, 'timeout'],
    [
      'one byte of the head at a time',
      (socket) => {
        let n = 0;
        every(socket, 40, () => socket.write(`${head}X-Filler: ${'x'.repeat(1_000)}`[n++]!));
      },
      'timeout',
    ],
    ['1xx for ever', (socket) => every(socket, 5, () => socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n')), 'timeout'],
    ['1xx and then the end', (socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\n'), 'status 100'],
    [
      'a switch of protocols',
      (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'),
      'status 101',
    ],
    [
      '200 and a body that never ends',
      (socket) => {
        socket.write(`${head}\r\n`);
        every(socket, 5, () => socket.write(Buffer.alloc(512)));
      },
      'status 200',
    ],
    [
      '200 and a body of one byte at a time',
      (socket) => {
        socket.write(`${head}Content-Length: 1000000\r\n\r\n`);
        every(socket, 40, () => socket.write('x'));
      },
      'status 200',
    ],
    ['200 and no body where one is announced', (socket) => socket.write(`${head}Content-Length: 10\r\n\r\n`), 'status 200'],
    ['200 and a body that breaks off', (socket) => socket.end(`${head}Content-Length: 10\r\n\r\nabc`), 'status 200'],
    ['200 and a chunk that is none', (socket) => socket.end(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`), 'status 200'],
    [
      '500 and a body that never ends',
      (socket) => {
        socket.write('HTTP/1.1 500 X\r\n\r\n');
        every(socket, 5, () => socket.write('x'));
      },
      'status 500',
    ],
    [
      'a gzip bomb',
      (socket) => {
        const bomb = gzipSync(Buffer.alloc(50_000_000));
        socket.end(Buffer.concat([Buffer.from(`${head}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`), bomb]));
      },
      'status 200',
    ],
    ['a head of 100 KB', (socket) => socket.end(`${head}X-Big: ${'x'.repeat(100_000)}\r\nContent-Length: 0\r\n\r\n`), 'reset'],
    ['garbage for an answer', (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'), 'reset'],
    ['two lengths for one body', (socket) => socket.end(`${head}Content-Length: 0\r\nContent-Length: 5\r\n\r\n`), 'reset'],
    ['the end of the connection and no answer', (socket) => socket.end(), 'reset'],
    ['a reset and no answer', resetLast, 'reset'],
    [
      'a reset after the head',
      (socket) => socket.write(`${head}Content-Length: 10\r\n\r\n`, () => setTimeout(resetLast, 30)),
      'status 200',
    ],
  ];
  test.each(cases)('%s', async (_title, answers, expected) => {
    const receiver = await receiverThat(answers);
    expect(await outcomeOf(post(receiver.url))).toBe(expected);
    expect(receiver.connections).toBe(1);
  });

  test('accepts and never speaks TLS', async () => {
    const receiver = await listen(net.createServer());
    expect(await outcomeOf(post(receiver.url))).toBe('timeout');
  });

  test('never reads a large body', async () => {
    const receiver = await listen(tls.createServer(good, (socket) => socket.pause()));
    expect(await outcomeOf(post(receiver.url, {}, Buffer.alloc(20_000_000)))).toBe('timeout');
  });

  test('answers a gigabyte: no more than 64 KB and what is on the way is read, and memory does not grow', async () => {
    const chunk = Buffer.alloc(1_000_000);
    let sent = 0;
    const receiver = await receiverThat((socket) => {
      const flood = () => {
        while (socket.writable && sent < 1_000_000_000) {
          sent += chunk.length;
          if (!socket.write(chunk)) return void socket.once('drain', flood);
        }
      };
      socket.write(`${head}Content-Length: 1000000000\r\n\r\n`);
      flood();
    });
    const before = process.memoryUsage.rss();
    expect(await outcomeOf(post(receiver.url))).toBe('status 200');
    expect(sent).toBeLessThan(30_000_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(80_000_000);
  });

  test('the duration that is logged ends with the head', async () => {
    const receiver = await receiverThat((socket) => {
      socket.write(`${head}\r\n`);
      every(socket, 20, () => socket.write('x'));
    });
    const outcome = await post(receiver.url);
    expect(outcome.durationMs).toBeLessThan(300);
  });
});

describe('trust', () => {
  test('without WEBHOOK_CA_FILE a certificate of the throw-away authority is not believed', async () => {
    const receiver = await receiverThat((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    expect(await outcomeOf(post(receiver.url, { caPem: undefined }))).toBe('tls');
  });
});
