import { expect, test } from '@jest/globals';
import { RemoteRelay } from './remote-relay.ts';

const log = { warn: () => undefined };

function counted(answer: () => Promise<void> = async () => undefined) {
  const notified = { times: 0, again: Promise.withResolvers<void>() };
  const read = async () => {
    notified.times += 1;
    if (notified.times === 2) notified.again.resolve();
    await answer();
    return [];
  };
  return { notified, db: { schema: 'shop', read } };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a relay elsewhere is notified at once, and once more of what is committed then', async () => {
  const { notified, db } = counted();
  const relay = new RemoteRelay(db, log, 5);
  relay.wake();
  expect(notified.times).toBe(1);
  for (let commits = 0; commits < 20; commits++) relay.wake();
  await notified.again.promise;
  await relay.stop();
  expect(notified.times).toBe(2);
});

test('a service that stops notifies of what it has committed, without the pause', async () => {
  const { notified, db } = counted();
  const relay = new RemoteRelay(db, log, 60_000);
  relay.wake();
  await turn();
  relay.wake();
  await turn();
  expect(notified.times).toBe(1);
  await relay.stop();
  expect(notified.times).toBe(2);
});

test('a notification that fails is logged, and the next one is sent', async () => {
  const warned: object[] = [];
  const { notified, db } = counted(() => Promise.reject(new Error('no connection')));
  const relay = new RemoteRelay(db, { warn: (fields) => void warned.push(fields) }, 5);
  relay.wake();
  await turn();
  relay.wake();
  await notified.again.promise;
  await relay.stop();
  expect(warned).toHaveLength(2);
});
