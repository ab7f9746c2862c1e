/** Consumers where tables are distributed by store, which a single server stands in for. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Db, type EntityManager, sql } from '@store/db';
import { Problem } from '@store/problem';
import { message, namesOf, shareShop, shop, writeEffects } from '../../test/shop.ts';
import type { Message } from '../message.ts';

shareShop();

let byStore: Db;
beforeEach(() => {
  byStore = { ...shop.db, placement: async () => 'stores' };
});

const stores = 6;
const batchOf = (count: number) => Array.from({ length: count }, (_, n) => message({ storeId: 1 + (n % stores), name: `m${n}` }));
const sortedNames = (messages: Message[]) => namesOf(messages).sort();

describe('a consumer of tables by store', () => {
  test('takes each store of a batch by itself, four at once, in order', async () => {
    const batch = batchOf(4 * stores);
    const four = Promise.withResolvers<void>();
    let [open, most] = [0, 0];
    const handle = async (em: EntityManager, part: Message[]) => {
      expect(part).toEqual(batch.filter(({ storeId }) => storeId === part[0]!.storeId));
      open += 1;
      most = Math.max(most, open);
      if (open === 4) four.resolve();
      await four.promise;
      await sql(em, 'select pg_sleep(0.02)');
      await writeEffects(em, part);
      open -= 1;
    };
    await shop.consumer({ db: byStore, handle })(batch);
    expect(most).toBe(4);
    expect((await shop.effects()).sort()).toEqual(sortedNames(batch));
  });

  test('with a store whose worker is down takes the others, and then the rest', async () => {
    const batch = batchOf(2 * stores);
    const lost = new Problem('database', 'The worker does not answer');
    let isDown = true;
    const handle = async (em: EntityManager, part: Message[]) => {
      if (isDown && part[0]!.storeId === 1) throw lost;
      await writeEffects(em, part);
    };
    const took: Message[][] = [];
    const take = shop.consumer({ db: byStore, handle, took: (taken) => took.push(taken) });
    await expect(take(batch)).rejects.toBe(lost);
    expect((await shop.effects()).sort()).toEqual(sortedNames(batch.filter(({ storeId }) => storeId !== 1)));
    expect([await shop.count('dead_letters'), took]).toEqual([0, []]);
    isDown = false;
    await take(batch);
    expect((await shop.effects()).sort()).toEqual(sortedNames(batch));
    expect(took).toEqual([batch]);
  });

  test('sets a message aside that is bad, and takes the others of its store', async () => {
    const batch = [...batchOf(stores), message({ storeId: 1, name: 'poison' }), message({ storeId: 1, name: 'last' })];
    await shop.consumer({ db: byStore })(batch);
    expect((await shop.effects()).sort()).toEqual(sortedNames(batch.filter(({ name }) => name !== 'poison')));
    expect(await shop.count('dead_letters')).toBe(1);
  });
});
