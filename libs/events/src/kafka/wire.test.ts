import { expect, jest, test } from '@jest/globals';
import { message } from '../../test/shop.ts';
import { letterValues } from '../consume/dead-letters.ts';
import type { Message } from '../message.ts';
import { fromWire, toWire } from './wire.ts';

const internal = { stock: { product_id: 1, stock: '1.000', version: 2 } };
const sent = message({ internal, public: Buffer.from('{}'), storeId: 7, version: 9 });

/** The message as a broker gives it, with other headers. */
function received(headers: Record<string, string> = {}): Message {
  const { key, value, headers: own } = toWire(sent);
  const all = Object.entries({ ...own, ...headers }).map(([name, text]) => [name, Buffer.from(String(text))]);
  const wire = { key: Buffer.from(String(key)), value: value as Buffer, headers: Object.fromEntries(all), timestamp: '0', attributes: 0 };
  return fromWire('catalog.events', 2, { ...wire, offset: '5' });
}

test('a message comes from the wire as it was sent, and spread or as JSON it is whole', () => {
  const at = { partition: 2, offset: '5' };
  expect(received()).toEqual({ ...sent, at });
  expect({ ...received() }).toEqual({ ...sent, at });
});

test('the parts for services are decoded by those who read them, once', () => {
  const parse = jest.spyOn(JSON, 'parse');
  try {
    const arrived = received();
    expect([arrived.name, arrived.storeId, arrived.public?.toString()]).toEqual(['product.updated', 7, '{}']);
    expect(parse).not.toHaveBeenCalled();
    expect(arrived.internal).toBe(arrived.internal);
    expect(parse).toHaveBeenCalledTimes(1);
  } finally {
    parse.mockRestore();
  }
});

test.each(['internal', 'actor'] as const)('an %s that is no JSON fails for its reader, who can keep a dead letter', (name) => {
  const torn = received({ [name]: '{"torn":' });
  expect(() => torn[name]).toThrow('JSON');
  const [id, , kept] = letterValues(torn, new Error('refused'));
  expect(id).toBe(sent.id);
  expect(JSON.parse(kept)).toMatchObject({ unreadable: expect.stringContaining(`the header ${name} is no JSON`) });
});

test('a message without a header that every reader needs is unreadable', () => {
  expect(received({ store_id: 'seven' }).unreadable).toBe('the header store_id is no whole number');
});
