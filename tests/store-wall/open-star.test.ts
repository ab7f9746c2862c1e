import { beforeAll, expect, test } from '@jest/globals';
import { loadModule } from 'libpg-query';
import { openStars } from './open-star.ts';

beforeAll(() => loadModule());

test.each([
  'select * from shop.items where id = $1',
  'select i.*, 1 as one from shop.items i where id = $1',
  'with found as (select * from shop.items where id = $1) select * from found',
  'select * from (select * from shop.items where id = $1) shown join shop.others o on true',
  'insert into shop.items (id) values ($1) returning *',
])('is found: %s', (text) => {
  expect(openStars(text)).toHaveLength(1);
});

test.each([
  'select id, name from shop.items where id = $1',
  'select count(*) from shop.items where id = $1',
  'with found as (select * from shop.items where id = $1) select id from found',
  'select * from (select id from shop.items where id = $1) shown',
  'select * from unnest($1::int[])',
])('names its columns, or is not kept: %s', (text) => {
  expect(openStars(text)).toEqual([]);
});
