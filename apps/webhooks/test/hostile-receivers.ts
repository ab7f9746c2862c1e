/**
 * Hostile receivers in a separate process, so that the memory and the sockets that a test
 * counts are those of the attempts alone. It sends its parent their ports, and ends with it.
 */
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { selfSignedCertificate, throwAwayCa } from '@store/testbed/certificates';

export interface HostilePlaces {
  caPem: string;
  /** Port by kind of receiver. */
  ports: Record<string, number>;
}

const dripEveryMs = 50;
const floodEveryMs = 20;
const bigHeadBytes = 10_000_000;
const piece = Buffer.alloc(64 * 1024, 'x');

const ca = throwAwayCa();
const good = ca.issue({ names: ['127.0.0.1'] });
const kinds: Record<string, (socket: tls.TLSSocket) => void> = {
  hang: () => undefined,
  drip: (socket) => {
    const text = `HTTP/1.1 200 OK\r\nX-Filler: ${'x'.repeat(10_000)}`;
    let at = 0;
    every(socket, dripEveryMs, () => socket.write(text[at++]!));
  },
  head: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Big: ');
    pour(socket, bigHeadBytes);
  },
  body: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    pour(socket, Number.POSITIVE_INFINITY);
  },
  redirect: (socket) => socket.end('HTTP/1.1 302 Found\r\nLocation: /hook\r\nContent-Length: 0\r\n\r\n'),
  continue: (socket) => every(socket, floodEveryMs, () => socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(20))),
};

/** As fast as the client reads. */
function pour(socket: tls.TLSSocket, bytes: number): void {
  let left = bytes;
  const more = () => {
    while (socket.writable && left > 0) {
      left -= piece.length;
      if (!socket.write(piece)) return void socket.once('drain', more);
    }
  };
  more();
}

function every(socket: tls.TLSSocket, ms: number, write: () => void): void {
  const timer = setInterval(() => (socket.writable ? write() : clearInterval(timer)), ms);
  socket.once('close', () => clearInterval(timer));
}

async function portOf(server: net.Server): Promise<number> {
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1_024 });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** The answer starts with the first bytes of the request; its content does not matter. */
function tlsServer(certificate: tls.TlsOptions, answers: (socket: tls.TLSSocket) => void): net.Server {
  const server = tls.createServer(certificate, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => answers(socket));
    socket.resume();
  });
  return server.on('tlsClientError', () => undefined);
}

const ports: Record<string, number> = {};
for (const [kind, answers] of Object.entries(kinds)) ports[kind] = await portOf(tlsServer(good, answers));
ports.tls = await portOf(tlsServer(selfSignedCertificate({ names: ['127.0.0.1'] }), () => undefined));
// A reset in the middle of TLS is a reset of the plain connection.
ports.reset = await portOf(
  net.createServer((bare) => {
    bare.on('error', () => bare.destroy());
    const socket = new tls.TLSSocket(bare, { isServer: true, secureContext: tls.createSecureContext(good) });
    socket.on('error', () => bare.destroy());
    socket.once('data', () => bare.resetAndDestroy());
  }),
);
const closed = net.createServer();
ports.refused = await portOf(closed);
closed.close();
await once(closed, 'close');

process.send!({ caPem: ca.caPem, ports } satisfies HostilePlaces);
process.once('disconnect', () => process.exit());
