import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { type BodyHolder, BodyRoom } from './body-room.ts';

const request = () => new PassThrough();
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const [a, b, c] = [{ storeId: 1 }, { storeId: 2 }, { storeId: 3 }];

/** Those admitted, in the order of admission. */
function visitors(room: BodyRoom) {
  const inside: string[] = [];
  const leave = new Map<string, () => void>();
  return {
    inside,
    leave: (name: string) => leave.get(name)!(),
    enter: async (name: string, holder: BodyHolder, bytes: number, from = request()) => {
      const left = await room.enter(from, holder, bytes);
      leave.set(name, left);
      inside.push(name);
    },
  };
}

test('D256: bodies get room store by store, so a store with many delays no other', async () => {
  const room = new BodyRoom({ bytes: 12 });
  const { inside, enter, leave } = visitors(room);
  await enter('a1', a, 9);
  const waiting = [enter('a2', a, 3), enter('a3', a, 3), enter('b1', b, 3), enter('c1', c, 3)];
  await turn();
  expect(inside).toEqual(['a1', 'b1']);
  leave('a1');
  await Promise.all(waiting.slice(0, 1).concat(waiting.slice(2)));
  expect(inside.slice(2).sort()).toEqual(['a2', 'c1']);
  leave('b1');
  await Promise.all(waiting);
  expect(room.taken).toBe(9);
});

test('any number of strangers take no room of a store', async () => {
  const room = new BodyRoom({ bytes: 12, anonymousBytes: 8 });
  const { inside, enter, leave } = visitors(room);
  const strangers = Array.from({ length: 20 }, (_, n) => enter(`stranger ${n}`, { address: `192.0.2.${n}` }, 4));
  await enter('store', a, 9);
  expect([inside, room.taken]).toEqual([['stranger 0', 'stranger 1', 'store'], 17]);
  for (let n = 0; n < 20; n++) {
    await strangers[n];
    leave(`stranger ${n}`);
  }
  expect(room.taken).toBe(9);
});

test('a request that is aborted while it waits is rejected and takes no room', async () => {
  const room = new BodyRoom({ bytes: 4 });
  const { enter, leave } = visitors(room);
  await enter('first', a, 4);
  const leaving = request();
  const gone = enter('gone', b, 4, leaving);
  leaving.destroy();
  await expect(gone).rejects.toMatchObject({ status: 400, message: 'Request body could not be read' });
  await expect(enter('gone before', b, 4, leaving)).rejects.toMatchObject({ status: 400 });
  leave('first');
  expect(room.taken).toBe(0);
});
