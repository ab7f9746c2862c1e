/** The proxy that chaos uses: each failure does what it says, and `heal` restores everything. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { resetSocket } from './reset-socket.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

let echo: Server;
let proxy: TcpProxy;
const served = new Set<Socket>();
const clients: Socket[] = [];
beforeEach(async () => {
  echo = createServer((socket) => {
    served.add(socket);
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  proxy = await openTcpProxy();
  proxy.forwardTo((echo.address() as AddressInfo).port);
});
afterEach(async () => {
  for (const socket of [...served, ...clients.splice(0)]) socket.destroy();
  served.clear();
  await proxy.close();
  echo.close();
});

async function client(): Promise<{ socket: Socket; says: (text: string) => Promise<string>; heard: () => string }> {
  const socket = connect({ port: proxy.port, host: '127.0.0.1' });
  clients.push(socket);
  let heard = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    heard += chunk.toString();
  });
  await once(socket, 'connect');
  const says = async (text: string) => {
    socket.write(text);
    await once(socket, 'data');
    return heard;
  };
  return { socket, says, heard: () => heard };
}

/** Resolves when the socket is closed, by an error or not. */
const closed = (socket: Socket) => new Promise<void>((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())));

test('without a fault it forwards both ways, a megabyte too', async () => {
  const { socket, heard } = await client();
  const text = 'x'.repeat(1_000_000);
  socket.write(text);
  while (heard().length < text.length) await once(socket, 'data');
  expect(heard()).toBe(text);
});

test('drop: every connection is reset, and none is accepted until it is healed', async () => {
  const { socket, says } = await client();
  await says('a');
  const reset = closed(socket);
  proxy.drop();
  await reset;
  const refused = connect({ port: proxy.port, host: '127.0.0.1' });
  refused.on('error', () => undefined);
  await closed(refused);
  proxy.heal();
  expect(await (await client()).says('b')).toBe('b');
});

test('slow: bytes are delayed both ways, and arrive completely and in order', async () => {
  const { socket, heard } = await client();
  proxy.slow(100);
  const startedAtMs = performance.now();
  for (const part of ['1', '2', '3', '4']) socket.write(part);
  while (heard().length < 4) await once(socket, 'data');
  proxy.slow(200);
  socket.write('5');
  await wait(20);
  proxy.heal();
  socket.write('6');
  while (heard().length < 6) await once(socket, 'data');
  expect(heard()).toBe('123456');
  expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(195);
});

test('mute: nothing passes; healed, old connections continue and new ones are reset', async () => {
  const { socket, says, heard } = await client();
  await says('a');
  proxy.mute();
  socket.write('b');
  const stillborn = await client();
  stillborn.socket.write('c');
  const gone = closed(stillborn.socket);
  await wait(100);
  expect([heard(), stillborn.heard(), socket.closed, stillborn.socket.closed]).toEqual(['a', '', false, false]);
  const went = once(socket, 'data');
  proxy.heal();
  await went;
  await gone;
  expect([heard(), stillborn.heard()]).toEqual(['ab', '']);
});

test('freeze: current connections are silent for good, new ones work', async () => {
  const { socket, says, heard } = await client();
  await says('a');
  const [atServer] = served;
  proxy.freeze();
  socket.write('b');
  expect(await (await client()).says('c')).toBe('c');
  proxy.mute();
  proxy.heal();
  socket.end();
  expect(await (await client()).says('d')).toBe('d');
  await wait(100);
  expect([heard(), atServer!.readableEnded, atServer!.closed]).toEqual(['a', false, false]);
});

test('a connection whose close is delayed is still closed', async () => {
  const { socket } = await client();
  const gone = closed(socket);
  socket.end();
  resetSocket(socket);
  await gone;
  expect(socket.destroyed).toBe(true);
});
