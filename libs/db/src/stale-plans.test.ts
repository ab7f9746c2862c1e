import { beforeEach, describe, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { admin, db, meeting, shareDatabase } from '../test/database.ts';
import { sql } from './sql.ts';

const connections = 3;
shareDatabase('', { poolMax: connections });
beforeEach(() =>
  admin.query(`drop schema if exists shop cascade; create schema shop;
    create table shop.items (id int primary key, quantity int not null); insert into shop.items select n, 10 from generate_series(1, 3) n`),
);

describe('D278: after a migration that changes what a kept statement returns', () => {
  const all = (name: string) => `select * from shop.items where id >= $1 /* ${name} */ order by id`;
  const widened: [string, string][] = [
    ['a column more', 'alter table shop.items add column note text'],
    ['a wider number', 'alter table shop.items alter column quantity type bigint'],
  ];

  test.each(widened)('%s: reads, short reads and units on every connection run again at once', async (name, migration) => {
    const text = all(name);
    const works = [() => db.read(text, [0]), () => db.read(text, [0], { short: true }), () => db.unit(1, async (em) => sql(em, text, [0]))];
    const everywhere = () => {
      const all = meeting(connections);
      return Promise.all(
        [1, 2, 3].map(() =>
          db.unit(1, async (em) => {
            await all();
            return sql(em, text, [0]);
          }),
        ),
      );
    };
    for (const work of works) {
      await everywhere();
      await admin.query(migration.replace(' note ', ` note${works.indexOf(work)} `));
      expect(await work()).toHaveLength(3);
    }
  });

  test('a unit that had changed something is rolled back and runs once', async () => {
    const text = all('unit');
    const work = async (em: EntityManager) => {
      await sql(em, 'update shop.items set quantity = quantity + 1', []);
      return sql(em, text, [0]);
    };
    await db.unit(1, work);
    await admin.query('alter table shop.items add column more text');
    await db.unit(1, work);
    const { rows } = await admin.query('select quantity from shop.items');
    expect(rows.map(({ quantity }) => quantity)).toEqual([12, 12, 12]);
  });
});
