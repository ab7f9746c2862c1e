import { expect, jest, test } from '@jest/globals';
import { letterValues } from '../consume/dead-letters.ts';
import type { Message } from '../message.ts';
import { fromWire, toWire } from './wire.ts';

const sent: Message = {
  id: '0b6b0a52-0000-4000-8000-000000000001',
  topic: 'catalog.events',
  storeId: 7,
  name: 'product.updated',
  aggregate: 'product:1',
  public: Buffer.from('{}'),
  internal: { stock: { product_id: 1, stock: '1.000', version: 2 } },
  actor: { type: 'key', key: { id: 3, name: 'till' }, user: null },
  requestId: 'r',
  createdAt: '2026-11-20T12:00:00.000Z',
  version: 9,
};

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
    const message = received();
    expect([message.name, message.storeId, message.public?.toString()]).toEqual(['product.updated', 7, '{}']);
    expect(parse).not.toHaveBeenCalled();
    expect(message.internal).toBe(message.internal);
    expect(parse).toHaveBeenCalledTimes(1);
  } finally {
    parse.mockRestore();
  }
});

test.each(['internal', 'actor'] as const)(
  'an %s that is no JSON fails for its reader, who can keep the message as a dead letter',
  (name) => {
    const message = received({ [name]: '{"torn":' });
    expect(() => message[name]).toThrow('JSON');
    const [id, , kept] = letterValues(message, new Error('refused'));
    expect(id).toBe(sent.id);
    expect(JSON.parse(kept)).toMatchObject({ unreadable: expect.stringContaining(`the header ${name} is no JSON`) });
  },
);

test('a message without a header that every reader needs is unreadable', () => {
  expect(received({ store_id: 'seven' }).unreadable).toBe('the header store_id is no whole number');
});
