import { expect, test } from '@jest/globals';
import type { Message } from '@store/events';
import { wantsProduct } from './consume-products.ts';

const audit = { action: 'product.update', resource_type: 'Product', resource_id: 1, before: {}, after: {}, ip: '' };
const event = (name: string, internal: Message['internal']) => ({ name, internal, public: Buffer.from('{}') }) as Message;

test("a change of a product's other fields, such as stock, is skipped; of its own, not", () => {
  expect(wantsProduct(event('product.updated', null))).toBe(false);
  expect(wantsProduct(event('product.updated', { audit }))).toBe(true);
});

test('a product that is made or deleted is taken, whoever did it', () => {
  expect(wantsProduct(event('product.created', null))).toBe(true);
  expect(wantsProduct(event('product.deleted', null))).toBe(true);
});

test('an event that is not about a product is skipped by its name, unread', () => {
  const unread = Object.defineProperty(event('inventory.adjusted', null), 'internal', {
    get: () => {
      throw new Error('decoded');
    },
  });
  expect(wantsProduct(unread)).toBe(false);
});
