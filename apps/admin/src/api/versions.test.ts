import { expect, test } from '@jest/globals';
import { versions } from './versions.ts';

test('a record that is shown keeps the version with which it was read', () => {
  const shown = { customer: { name: 'Dora', tags: [] } };
  versions.note('/customers/7', '"1"', shown);
  const since = { customer: { name: 'Dora B.', tags: [] } };
  versions.note('/customers/7', '"2"', since);
  expect([versions.of('/customers/7'), versions.ofShown(shown.customer), versions.ofShown(since.customer)]).toEqual(['"2"', '"1"', '"2"']);
  // As react-query merges them: the list of before in an answer of its own.
  const merged = versions.carry(since, { customer: { name: 'Dora B.', tags: shown.customer.tags } });
  expect([versions.ofShown(merged.customer), versions.ofShown({ name: 'Dora' })]).toEqual(['"2"', undefined]);
});
