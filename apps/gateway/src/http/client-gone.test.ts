/** Work for a read ends when its client is gone and at its deadline (D257); a write goes on. */
import { expect, test } from '@jest/globals';
import { inBackground, presentAsker, presentHolder } from '@store/shares/asker';
import { shareDoor } from '../../test/http-under-test.ts';
import { BodyRoom } from './body-room.ts';
import type { OwnVerbs } from './exchange.ts';

const own: OwnVerbs = {};
const door = shareDoor({}, { forwarder: { channels: new Map(), own, room: new BodyRoom() } });

function sleeping(name: string, seconds: number) {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];
  const holders: unknown[] = [];
  own[name] = async () => {
    holders.push(presentHolder());
    const sleep = door.app.db.read('select pg_sleep($1)::text as done', [seconds]);
    sleep.then(ended.resolve, ended.resolve);
    begun.resolve();
    await sleep;
    return {};
  };
  return { begun: begun.promise, ended: ended.promise, holders };
}

const ask = async (method: string, path: string, { signal, token }: { signal?: AbortSignal; token: string }) =>
  fetch(`${door.baseUrl}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(method === 'POST' && { body: '{}' }),
    ...(signal && { signal }),
  }).then(
    ({ status }) => status,
    () => 'gone',
  );
const statuses = async () => {
  await door.app.requests.flush();
  return (await door.app.db.read<{ status: number }>('select status from gateway.requests order by id')).map(({ status }) => status);
};

test("a read is its store's work, ends with its client, and is recorded as a 499", async () => {
  const { token, storeId } = await door.store();
  const { begun, ended, holders } = sleeping('ListApiKeys', 60);
  const gone = new AbortController();
  const answer = ask('GET', '/api_keys', { token, signal: gone.signal });
  await begun;
  gone.abort();
  expect(await ended).toMatchObject({ kind: 'database' });
  expect([await answer, holders]).toEqual(['gone', [storeId]]);
  while ((await statuses()).at(-1) !== 499) await new Promise((resolve) => setImmediate(resolve));
});

test('a write goes on without its client', async () => {
  const { token } = await door.store();
  const { begun, ended } = sleeping('CreateStaffUser', 0.3);
  const gone = new AbortController();
  const answer = ask('POST', '/staff_users', { token, signal: gone.signal });
  await begun;
  gone.abort();
  expect([await answer, await ended]).toEqual(['gone', [{ done: '' }]]);
});

test('a verb of the gateway ends at its deadline', async () => {
  const { token } = await door.store();
  const { begun, ended } = sleeping('ListApiKeys', 60);
  const answer = ask('GET', '/api_keys', { token });
  await begun;
  expect(await ended).toMatchObject({ kind: 'database' });
  expect(await answer).toBe(500);
});

test('work in the background has no asker', () => {
  expect([inBackground(presentAsker), inBackground(presentHolder)]).toEqual([undefined, 'background']);
});
