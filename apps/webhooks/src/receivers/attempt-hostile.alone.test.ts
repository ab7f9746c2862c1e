/** Hostile receivers (P14), with shortened timers of the same kinds. */
import net from 'node:net';
import tls from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { closeReceivers, every, goodCertificate, listen, outcomeOf, post, receiverThat, resetLast } from '../../test/receivers.ts';

afterEach(closeReceivers);

describe('a hostile receiver frees its slot in time and affects nothing but the outcome', () => {
  const head = 'HTTP/1.1 200 OK\r\n';
  const silent = () => undefined;
  // Made before any attempt: packing it takes longer than a busy machine leaves an attempt.
  const bomb = gzipSync(Buffer.alloc(50_000_000));
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

  test('accepts and never answers the TLS handshake', async () => {
    const receiver = await listen(net.createServer());
    expect(await outcomeOf(post(receiver.url))).toBe('timeout');
  });

  test('never reads a large body', async () => {
    const receiver = await listen(tls.createServer(goodCertificate, (socket) => socket.pause()));
    expect(await outcomeOf(post(receiver.url, {}, Buffer.alloc(20_000_000)))).toBe('timeout');
  });

  test('answers a gigabyte: no more than 64 KB and what is in transit is read, and memory does not grow', async () => {
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

  test("the logged duration ends with the response's headers", async () => {
    const receiver = await receiverThat((socket) => {
      socket.write(`${head}\r\n`);
      every(socket, 20, () => socket.write('x'));
    });
    // The body ends with the timeout, 3 s later.
    const outcome = await post(receiver.url, { responseTimeoutMs: 3_000 });
    expect(outcome.durationMs).toBeLessThan(2_500);
  });
});
