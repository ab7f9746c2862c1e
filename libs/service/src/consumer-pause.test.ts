import { expect, test } from '@jest/globals';
import type { Message } from '@store/events';
import { consumerPause } from './consumer-pause.ts';

const named = (name: string) => ({ name }) as Message;

test('a consumer rests longer while arrivals change nothing, and no more after that', () => {
  const rest = consumerPause();
  expect(rest.lingerMs()).toBe(100);
  rest.took([]);
  expect(rest.lingerMs()).toBe(250);
  rest.took([named('sale.completed')]);
  expect(rest.lingerMs()).toBe(100);
});

test('it rests longer, too, while nobody waits for what arrives', () => {
  const rest = consumerPause((message) => message.name === 'sale.completed');
  rest.took([named('product.created')]);
  expect(rest.lingerMs()).toBe(250);
  rest.took([named('product.created'), named('sale.completed')]);
  expect(rest.lingerMs()).toBe(100);
});
