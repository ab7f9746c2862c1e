import { expect, test } from '@jest/globals';
import { RemoteRelay } from './remote-relay.ts';

const log = { warn: () => undefined };

function counted(answer: () => Promise<void> = async () => undefined) {
  const told = { times: 0, again: Promise.withResolvers<void>() };
  const read = async () => {
    told.times += 1;
    if (told.times === 2) told.again.resolve();
    await answer();
    return [];
  };
  return { told, db: { schema: 'shop', read } };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a relay elsewhere is notified at once, and of all that is committed while it gathers once more', async () => {
  const { told, db } = counted();
  const relay = new RemoteRelay(db, log, 5);
  relay.wake();
  expect(told.times).toBe(1);
  for (let commits = 0; commits < 20; commits++) relay.wake();
  await told.again.promise;
  await relay.stop();
  expect(told.times).toBe(2);
});

test('a service that stops notifies of what it has committed, without the rest', async () => {
  const { told, db } = counted();
  const relay = new RemoteRelay(db, log, 60_000);
  relay.wake();
  await turn();
  relay.wake();
  await turn();
  expect(told.times).toBe(1);
  await relay.stop();
  expect(told.times).toBe(2);
});

test('a notification that fails is logged, and the next one is sent', async () => {
  const warned: object[] = [];
  const { told, db } = counted(() => Promise.reject(new Error('no connection')));
  const relay = new RemoteRelay(db, { warn: (fields) => void warned.push(fields) }, 5);
  relay.wake();
  await turn();
  relay.wake();
  await told.again.promise;
  await relay.stop();
  expect(warned).toHaveLength(2);
});
