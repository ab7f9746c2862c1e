import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import protobuf from 'protobufjs';
import { encodeView } from './encode.ts';
import { endpoints, messageType } from './endpoints.ts';
import { renderMembers, renderMessage } from './render.ts';

const everything = () => true;

/** Lengths around those at which a length takes a byte more, and around those of a short text. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.integer({ min: 0, max: 300 }).map((length) => 'x'.repeat(length)),
  fc.constantFrom('é'.repeat(64), '€'.repeat(11), 'x'.repeat(16_383), 'x'.repeat(16_384), '😀'),
);
const wholeNumber = fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, 127, 128, 2 ** 31, 2 ** 32, 2 ** 49, -1));

function viewOf(type: protobuf.Type, depth = 0): fc.Arbitrary<Record<string, unknown>> {
  const fields = type.fieldsArray.map((field) => {
    const one = arbitraryOf(field, depth);
    return [field.name, fc.option(field.repeated ? fc.array(one, { maxLength: 3 }) : one, { nil: undefined })] as const;
  });
  return fc.record(Object.fromEntries(fields));
}

function arbitraryOf(field: protobuf.Field, depth: number): fc.Arbitrary<unknown> {
  if (field.resolvedType instanceof protobuf.Type) return depth >= 2 ? fc.constant({}) : viewOf(field.resolvedType, depth + 1);
  if (field.type === 'string') return text;
  if (field.type === 'bool') return fc.boolean();
  if (field.type === 'double') return fc.double({ noNaN: true, noDefaultInfinity: true });
  if (field.type === 'int32') return fc.integer();
  return wholeNumber;
}

const answers = [...new Set(endpoints().map(({ response }) => response))];

describe.each(answers.map((type) => [type.fullName, type] as const))('%s', (_name, type) => {
  test('its bytes are those of protobufjs', () => {
    fc.assert(
      fc.property(viewOf(type), (view) => {
        expect(encodeView(type, view).equals(type.encode(view).finish())).toBe(true);
      }),
      { numRuns: 10 },
    );
  });
});

const product = messageType('store.catalog.v1.Product');

test('an id as text is the id as a number, whatever its size', () => {
  for (const id of ['0', '127', '9007199254740991', '9223372036854775807', '-1'])
    expect(encodeView(product, { id }).equals(product.encode(product.fromObject({ id })).finish())).toBe(true);
  expect(renderMessage(product, encodeView(product, { id: '9223372036854775807' }), everything)).toContain('"id":9223372036854775807');
});

test('a message that fails in the middle leaves nothing behind for the next one', () => {
  expect(() => encodeView(product, { name: 'x'.repeat(50), id: 'no number' })).toThrow();
  expect(encodeView(product, { id: 7 }).equals(product.encode({ id: 7 } as object).finish())).toBe(true);
});

test('a list whose items are apart on the wire, or packed or not, is one list in order', () => {
  const type = messageType('store.catalog.v1.ProductResponse');
  const part = (view: object) => encodeView(type, { product: view });
  const variations = (...ids: number[]) => encodeView(product, { variations: ids.map((id) => ({ id, name: 'n' })) });
  const apart = Buffer.concat([variations(1), encodeView(product, { id: 7 }), variations(2, 3)]);
  const [, json] = renderMembers(product, apart, everything).find(([name]) => name === 'variations')!;
  expect((JSON.parse(json) as { id: number }[]).map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(JSON.parse(renderMessage(type, part({ id: 7 }), everything)).product.id).toBe(7);

  const numbers = new protobuf.Type('Numbers').add(new protobuf.Field('ids', 1, 'int64', 'repeated'));
  const mixed = protobuf.Writer.create().uint32(10).bytes(Buffer.of(1, 2)).uint32(8).int64(300).uint32(10).bytes(Buffer.of(4)).finish();
  expect(renderMessage(numbers, mixed, everything)).toBe('{"ids":[1,2,300,4]}');
});

test('of a field that is on the wire twice the last one counts', () => {
  const twice = Buffer.concat([encodeView(product, { id: 1 }), encodeView(product, { id: 2 })]);
  expect(JSON.parse(renderMessage(product, twice, everything)).id).toBe(2);
});

test('a hidden list is skipped wherever it stands', () => {
  const secret = new protobuf.Type('Secret').add(
    new protobuf.Field('costs', 1, 'string', 'repeated', undefined, { '(store.api.v1.scope)': 'costs:read' }),
  );
  secret.add(new protobuf.Field('name', 2, 'string'));
  const bytes = encodeView(secret, { costs: ['1.00', '2.00'], name: 'n' });
  expect(renderMessage(secret, bytes, () => false)).toBe('{"name":"n"}');
  expect(renderMessage(secret, bytes, everything)).toBe('{"costs":["1.00","2.00"],"name":"n"}');
});
