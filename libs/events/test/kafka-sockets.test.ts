/** A silent broker fails one connection, not every request that waits for it. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { kafkaSockets } from '../src/kafka/sockets.ts';

const silenceMaxMs = 400;
let server: Server;
let opened: Socket[];
/** What the broker does with a request. */
let answer: (socket: Socket) => void;
beforeEach(async () => {
  opened = [];
  answer = () => undefined;
  server = createServer((socket) => {
    opened.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', () => answer(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  for (const socket of opened) socket.destroy();
  server.close();
});

async function open(): Promise<{ socket: Socket; ended: Promise<unknown> }> {
  const { promise: connected, resolve: onConnect } = Promise.withResolvers<void>();
  const { port } = server.address() as AddressInfo;
  const socket = kafkaSockets(silenceMaxMs)({ host: '127.0.0.1', port, ssl: undefined as never, onConnect });
  opened.push(socket);
  const { promise: ended, resolve: end } = Promise.withResolvers<unknown>();
  socket.on('error', end);
  await connected;
  return { socket, ended };
}
const request = (apiKey: number) => {
  const bytes = Buffer.alloc(12);
  bytes.writeInt16BE(apiKey, 4);
  return bytes;
};
const fetch = 1;
const joinGroup = 11;

test('a request without an answer ends the connection', async () => {
  const { socket, ended } = await open();
  socket.write(request(fetch));
  expect(String(await ended)).toContain(`no answer for ${silenceMaxMs} ms`);
});

test('one that is answered, or has no request, stays', async () => {
  answer = (socket) => void socket.write('x');
  const asked = await open();
  const silent = await open();
  asked.socket.write(request(fetch));
  await once(asked.socket, 'data');
  const dying = await open();
  answer = () => undefined;
  dying.socket.write(request(fetch));
  await dying.ended;
  dying.socket.destroy();
  const later = await open();
  later.socket.write(request(fetch));
  await later.ended;
  expect([asked.socket.destroyed, silent.socket.destroyed]).toEqual([false, false]);
});

test('joining a group may wait for its other members', async () => {
  const joining = await open();
  joining.socket.write(request(joinGroup));
  const dying = await open();
  dying.socket.write(request(fetch));
  await dying.ended;
  expect(joining.socket.destroyed).toBe(false);
});
