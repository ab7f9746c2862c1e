import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { BodyRoom } from './body-room.ts';

const request = () => new PassThrough();
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Those admitted, in the order of admission. */
function visitors(room: BodyRoom) {
  const inside: string[] = [];
  const leave = new Map<string, () => void>();
  return {
    inside,
    leave: (name: string) => leave.get(name)!(),
    enter: async (name: string, holder: string, bytes: number, from = request()) => {
      const left = await room.enter(from, { holder, bytes });
      leave.set(name, left);
      inside.push(name);
    },
  };
}

test('a body waits until there is room, and enters before later ones of the same size', async () => {
  const room = new BodyRoom({ bytes: 10, bytesPerHolder: 10 });
  const { inside, enter, leave } = visitors(room);
  await enter('first', 'a', 6);
  const later = [enter('second', 'b', 5), enter('third', 'c', 5)];
  await turn();
  expect(inside).toEqual(['first']);
  leave('first');
  await Promise.all(later);
  expect([inside, room.taken]).toEqual([['first', 'second', 'third'], 10]);
});

test('a holder that fills its share delays nobody else', async () => {
  const room = new BodyRoom({ bytes: 12, bytesPerHolder: 4 });
  const { inside, enter, leave } = visitors(room);
  await enter('a1', 'a', 4);
  const waits = enter('a2', 'a', 4);
  await enter('b1', 'b', 4);
  await turn();
  expect(inside).toEqual(['a1', 'b1']);
  leave('a1');
  await waits;
  expect(inside).toEqual(['a1', 'b1', 'a2']);
});

test('a request that is aborted while it waits is rejected and takes no room', async () => {
  const room = new BodyRoom({ bytes: 4, bytesPerHolder: 4 });
  const { enter, leave } = visitors(room);
  await enter('first', 'a', 4);
  const leaving = request();
  const gone = enter('gone', 'b', 4, leaving);
  leaving.destroy();
  await expect(gone).rejects.toMatchObject({ status: 400, message: 'Request body could not be read' });
  await expect(enter('gone before', 'b', 4, leaving)).rejects.toMatchObject({ status: 400 });
  leave('first');
  expect(room.taken).toBe(0);
});
