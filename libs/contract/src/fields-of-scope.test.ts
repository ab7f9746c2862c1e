import { expect, test } from '@jest/globals';
import { fieldsOfScope } from './fields-of-scope.ts';

test('the fields that ask for costs:read are those of the specification', () => {
  expect([...fieldsOfScope('costs:read')].sort()).toEqual(['average_cost', 'cost', 'wholesale_price']);
});

test('a scope that no field asks for names none', () => {
  expect([...fieldsOfScope('products:read')]).toEqual([]);
});
