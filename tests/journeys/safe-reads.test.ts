/** docs/security.md, CSRF: no GET changes what it is asked about, so a link or an image on another site does nothing. */
import { expect, test } from '@jest/globals';
import { endpoints } from '@store/contract';
import { useWorld } from '../kit/use.ts';
import { changedBy } from './database-text.ts';

const world = await useWorld();
const { token } = world.store;
const productId = (await world.create('/products', { product: { name: 'Lantern', price: '5.00' } })).id;
await world.call('POST', '/gift_cards', { token, body: { gift_card: { amount: 5, card_number: 'SAFE-1' } } });
await world.settled();

const reads = endpoints().filter(({ httpMethod, access }) => httpMethod === 'GET' && !access.keyOnly);

test.each(reads.map(({ path }) => path))('GET %s changes nothing but counts', async (path) => {
  const target = path.replace('{card_number}', 'SAFE-1').replaceAll(/\{\w+\}/g, String(productId));
  const { answer, changed } = await changedBy(world, () => world.call('GET', target, { token: world.store.token }));
  expect([answer.status < 500, changed]).toEqual([true, []]);
});
