import { expect, test } from '@jest/globals';
import { consumerRest } from './consumer-rest.ts';

test('a consumer rests longer while what arrives changes nothing, and as before from the first message that does', () => {
  const rest = consumerRest();
  expect(rest.lingerMs()).toBe(100);
  rest.took(0);
  expect(rest.lingerMs()).toBe(250);
  rest.took(1);
  expect(rest.lingerMs()).toBe(100);
});
