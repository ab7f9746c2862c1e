/** Receivers that are hostile (P14), and what an attempt makes of each. */
import type tls from 'node:tls';
import { gzipSync } from 'node:zlib';
import { type Answers, says } from './receivers.ts';

export const head = 'HTTP/1.1 200 OK\r\n';

/** Writes repeatedly until the connection is closed. */
export function every(socket: tls.TLSSocket, ms: number, write: () => void): void {
  const timer = setInterval(() => (socket.writable ? write() : clearInterval(timer)), ms);
  socket.once('close', () => clearInterval(timer));
}

/** Writes as fast as the client reads. */
export function pour(socket: tls.TLSSocket, bytes: number, sent: (bytes: number) => void = () => undefined): void {
  const piece = Buffer.alloc(64 * 1024, 'x');
  let left = bytes;
  const more = () => {
    while (socket.writable && left > 0) {
      left -= piece.length;
      sent(piece.length);
      if (!socket.write(piece)) return void socket.once('drain', more);
    }
  };
  more();
}

/** Writes, and then a text again and again. */
const writes =
  (first: string, text: string, everyMs: number): Answers =>
  (socket) => {
    socket.write(first);
    every(socket, everyMs, () => socket.write(text));
  };

// Made before any attempt: packing it takes longer than a busy machine leaves an attempt.
const bomb = gzipSync(Buffer.alloc(50_000_000));

/** By name; those of `inLoad` are also tried many at once. */
export const hostile: Record<string, [answers: Answers, outcome: string]> = {
  'TLS and then silence': [() => undefined, 'timeout'],
  'one byte of the head at a time': [
    (socket) => {
      let n = 0;
      every(socket, 40, () => socket.write(`${head}X-Filler: ${'x'.repeat(10_000)}`[n++]!));
    },
    'timeout',
  ],
  '1xx for ever': [writes('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', 5), 'timeout'],
  '1xx and then the end': [says('HTTP/1.1 100 Continue\r\n\r\n'), 'status 100'],
  'a switch of protocols': [
    (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'),
    'status 101',
  ],
  'a redirect': [says('HTTP/1.1 302 Found\r\nLocation: /hook\r\nContent-Length: 0\r\n\r\n'), 'status 302'],
  '200 and a body that never ends': [
    (socket) => {
      socket.write(`${head}\r\n`);
      pour(socket, Number.POSITIVE_INFINITY);
    },
    'status 200',
  ],
  '200 and a body of one byte at a time': [writes(`${head}Content-Length: 1000000\r\n\r\n`, 'x', 40), 'status 200'],
  '200 and no body where one is announced': [(socket) => socket.write(`${head}Content-Length: 10\r\n\r\n`), 'status 200'],
  '200 and a body that breaks off': [says(`${head}Content-Length: 10\r\n\r\nabc`), 'status 200'],
  '200 and a chunk that is none': [says(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`), 'status 200'],
  '500 and a body that never ends': [writes('HTTP/1.1 500 X\r\n\r\n', 'x', 5), 'status 500'],
  'a gzip bomb': [
    (socket) => socket.end(Buffer.concat([Buffer.from(`${head}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`), bomb])),
    'status 200',
  ],
  'a head of 10 MB': [
    (socket) => {
      socket.write(`${head}X-Big: `);
      pour(socket, 10_000_000);
    },
    'reset',
  ],
  'a head of 100 KB': [says(`${head}X-Big: ${'x'.repeat(100_000)}\r\nContent-Length: 0\r\n\r\n`), 'reset'],
  'garbage for an answer': [says('SSH-2.0-OpenSSH_9.9\r\n'), 'reset'],
  'two lengths for one body': [says(`${head}Content-Length: 0\r\nContent-Length: 5\r\n\r\n`), 'reset'],
  'the end of the connection and no answer': [says(''), 'reset'],
  'a reset and no answer': [(_socket, plain) => plain.resetAndDestroy(), 'reset'],
  'a reset after the head': [
    (socket, plain) => socket.write(`${head}Content-Length: 10\r\n\r\n`, () => setTimeout(() => plain.resetAndDestroy(), 30)),
    'status 200',
  ],
};

export const inLoad = [
  ...['TLS and then silence', 'one byte of the head at a time', '1xx for ever', 'a redirect', '200 and a body that never ends'],
  ...['a head of 10 MB', 'a reset and no answer'],
];
