/** How the HTTP server answers several requests on one connection. */
import { expect, test } from '@jest/globals';
import { openConnection } from '../../apps/gateway/test/open-connection.ts';
import { useWorld } from '../kit/use.ts';

const world = await useWorld();

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

test.each([
  ['a malformed request', 400, 'nonsense\r\n\r\n', /\{"error":"Malformed request"\}$/],
  ['a request with headers over 16 KB', 431, `GET /healthz HTTP/1.1\r\nX-Big: ${'a'.repeat(17_000)}\r\n\r\n`, /HTTP\/1\.1 431/],
] as const)('%s after an answered one is its own %i, and ends it all', async (_what, status, text, answer) => {
  const { socket, received, until, closed } = openConnection(world.baseUrl);
  const answered = until('"ok"}');
  socket.write('GET /healthz HTTP/1.1\r\nHost: store.example\r\n\r\n');
  await answered;
  socket.write(text);
  await closed;
  expect(statuses(received())).toEqual([200, status]);
  expect(received()).toMatch(answer);
});

test('what follows a good request in the same packet is never answered in its place', async () => {
  const { socket, received, closed } = openConnection(world.baseUrl);
  socket.write(`GET /api/v1/products HTTP/1.1\r\nHost: store.example\r\n\r\nnonsense\r\n\r\n`);
  await closed;
  expect([[], [401]]).toContainEqual(statuses(received()));
});
