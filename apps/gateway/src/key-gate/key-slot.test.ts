import { expect, test } from '@jest/globals';
import { slotOf } from './key-slot.ts';

test.each([
  ['123456789', 0x31c3],
  ['foo', 12_182],
  ['user1000', 3_443],
  ['', 0],
])('the slot of {%s} is that of the Redis Cluster specification', (tag, slot) => {
  expect(slotOf(tag)).toBe(slot);
});
