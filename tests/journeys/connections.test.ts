/** How the HTTP server answers several requests on one connection. */
import { expect, test } from '@jest/globals';
import { openConnection } from '../../apps/gateway/test/open-connection.ts';
import { useWorld } from '../kit/use.ts';

const world = await useWorld();

const good = 'GET /healthz HTTP/1.1\r\nHost: store.example\r\n\r\n';
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

test('a malformed request after an answered one is its own 400, and ends it all', async () => {
  const { socket, received, until, closed } = openConnection(world.baseUrl);
  const answered = until('"ok"}');
  socket.write(good);
  await answered;
  socket.write('nonsense\r\n\r\n');
  await closed;
  expect(statuses(received())).toEqual([200, 400]);
  expect(received()).toMatch(/\{"error":"Malformed request"\}$/);
});

test('headers over 16 KB on a reused connection are a 431', async () => {
  const { socket, received, until, closed } = openConnection(world.baseUrl);
  const answered = until('"ok"}');
  socket.write(good);
  await answered;
  socket.write(`GET /healthz HTTP/1.1\r\nX-Big: ${'a'.repeat(17_000)}\r\n\r\n`);
  await closed;
  expect(statuses(received())).toEqual([200, 431]);
});

test('what follows a good request in the same packet is never answered in its place', async () => {
  const { socket, received, closed } = openConnection(world.baseUrl);
  socket.write(`GET /api/v1/products HTTP/1.1\r\nHost: store.example\r\n\r\nnonsense\r\n\r\n`);
  await closed;
  expect([[], [401]]).toContainEqual(statuses(received()));
});
