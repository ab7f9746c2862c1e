/** Receivers on this machine that control every byte, and the attempts that tests make against them. */
import { once } from 'node:events';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import tls from 'node:tls';
import { throwAwayCa } from '@store/testbed/certificates';
import { attempt } from '../src/receivers/attempt.ts';
import { readRanges } from '../src/receivers/classify-address.ts';
import type { KeptSockets } from '../src/receivers/kept-sockets.ts';
import type { AttemptOptions, HostResolver, Outcome } from '../src/receivers/types.ts';

export const ca = throwAwayCa();
export const goodCertificate = ca.issue({ names: ['127.0.0.1', '127.0.0.2', 'hooks.store-receiver.org'] });
/** A resolver that answers every name with these addresses. */
export const resolvesTo = (...addresses: string[]): HostResolver => ({ resolve4: async () => addresses, resolve6: async () => [] });
/** As in production, except for the timers. */
export const options: AttemptOptions = {
  allowCidrs: readRanges(['127.0.0.0/8']),
  denyCidrs: readRanges([]),
  caPem: ca.caPem,
  resolver: resolvesTo('127.0.0.1'),
  connectTimeoutMs: 400,
  responseTimeoutMs: 500,
  ports: { always: [443], from: 1024 },
};
/** A slot must be free after both timers and a margin, as 15.5 s is for 5 s and 10 s. */
const slotMs = options.connectTimeoutMs + options.responseTimeoutMs + 300;

export interface Receiver {
  url: string;
  port: number;
  connections: number;
  /** Everything that arrived, of all connections. */
  received: Buffer[];
}
const open: { server: Server; sockets: Set<Socket> }[] = [];

export async function listen(server: Server, host = '127.0.0.1', port = 0): Promise<Receiver> {
  const sockets = new Set<Socket>();
  const receiver: Receiver = { url: '', port: 0, connections: 0, received: [] };
  server.on('connection', (socket: Socket) => {
    receiver.connections += 1;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
  });
  server.listen({ port, host, backlog: 1_024 });
  await once(server, 'listening');
  open.push({ server, sockets });
  receiver.port = (server.address() as AddressInfo).port;
  receiver.url = `https://${host}:${receiver.port}/hook?a=1`;
  return receiver;
}

/** `plain`: the connection under TLS. */
export type Answers = (socket: tls.TLSSocket, plain: Socket) => void;

/** A TLS receiver that answers once the request has fully arrived. */
export async function receiverThat(answers: Answers, certificate = goodCertificate, host = '127.0.0.1', port = 0): Promise<Receiver> {
  const secureContext = tls.createSecureContext(certificate);
  const server = net.createServer((plain) => {
    const socket = new tls.TLSSocket(plain, { isServer: true, secureContext });
    let seen = Buffer.alloc(0);
    let answered = false;
    socket.on('error', () => plain.destroy());
    socket.on('data', (chunk: Buffer) => {
      seen = Buffer.concat([seen, chunk]);
      const headEnd = seen.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(seen.toString('latin1'))?.[1]);
      if (answered || headEnd < 0 || seen.length < headEnd + 4 + length) return;
      answered = true;
      receiver.received.push(seen);
      answers(socket, plain);
    });
  });
  const receiver = await listen(server, host, port);
  return receiver;
}

/** A receiver's whole answer. */
export const says =
  (text: string): Answers =>
  (socket) =>
    socket.end(text);
export const ok = says('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');

export async function closeReceivers(): Promise<void> {
  while (open.length > 0) await closeLast();
}

/** Closes the newest receiver; its port refuses connections from then on. */
export async function closeLast(): Promise<void> {
  const { server, sockets } = open.pop()!;
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
}

export const body = Buffer.from('{"id":"e1","data":{"name":"Lantern — ☃"}}');
export const post = (url: string, changes: Partial<AttemptOptions> = {}, bytes = body, kept?: KeptSockets) =>
  attempt({
    ...(kept && { kept }),
    url,
    body: bytes,
    headers: { 'Content-Type': 'application/json', 'X-Service-Event': 'product.updated' },
    options: { ...options, ...changes },
  });

export const textOf = (outcome: Outcome) => (outcome.kind === 'response' ? `status ${outcome.status}` : outcome.reason);

/** The outcome without its duration; fails where the slot was not free in time. */
export async function outcomeOf(work: Promise<Outcome>): Promise<string> {
  const startedAt = performance.now();
  const text = textOf(await work);
  const tookMs = performance.now() - startedAt;
  if (tookMs >= slotMs) throw new Error(`the slot was free after ${tookMs} ms: ${text}`);
  return text;
}
