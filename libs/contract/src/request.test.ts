import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { endpoints, messageType } from './endpoints.ts';
import { isObject, itemsMax, messageFromBody, messageFromQuery, parseBody } from './request.ts';
import { ignoredFields } from './unknown-fields.ts';

const create = messageType('store.catalog.v1.CreateProductRequest');
const input = messageType('store.catalog.v1.ProductInput');
const bulk = messageType('store.catalog.v1.BulkUpsertRequest');
const list = messageType('store.catalog.v1.ListProductsRequest');

const message = (type: typeof create, text: string) => messageFromBody(type, parseBody(text) as Record<string, unknown>);

describe('D187: a body arrives as it was sent', () => {
  test.each(['1.10', '1e400', '-0', '12345678901234567890', '0.1000000000000000055', '1E+2'])('the number %s keeps its text', (text) => {
    expect(message(input, `{"price":${text}}`)).toEqual({ price: text });
  });

  test('digits in a text or in a name are no numbers, wherever they stand', () => {
    const text = String.raw`{"5":[-1],"name":"1,\"2\\","sku":"[3]", "price" : 4 , "description":"\\","category_ids":[ 5\n,"6",-7.0e1]}`;
    expect(message(input, text.replace(String.raw`\n`, '\n'))).toEqual({
      name: '1,"2\\',
      sku: '[3]',
      price: '4',
      description: '\\',
      category_ids: ['5', '6', '-7.0e1'],
    });
  });

  test('of a list of rows that is too long, no more is read than shows it', () => {
    const rows = Array.from({ length: 9_000 }, (_, n) => ({ code: `${n}`, lable: 1 }));
    const body = { additional_barcodes: rows };
    const parsed = message(input, JSON.stringify(body));
    expect(parsed.additional_barcodes).toEqual(rows.slice(0, 101).map(({ code }) => ({ code })));
    expect(ignoredFields(input, body, parsed, { isStaff: true, params: {} }).unknown[100]).toBeUndefined();
  });

  test('strings, booleans and null are their text', () => {
    const texts = { name: 'x', active: 'true', wholesale_enabled: 'false', sku: '' };
    expect(message(input, '{"name":"x","active":true,"wholesale_enabled":false,"sku":null}')).toEqual(texts);
  });

  test('what has the wrong kind is named and never coerced', () => {
    expect(message(input, '{"name":{"a":1},"sku":["1"],"price":"5"}')).toEqual({ price: '5', malformed: ['name', 'sku'] });
    expect(message(input, '{"category_ids":"5","additional_barcodes":[3,{"code":"a"}]}')).toEqual({
      additional_barcodes: [{}, { code: 'a' }],
      malformed: expect.arrayContaining(['category_ids', 'additional_barcodes.0']),
    });
  });

  test('a bulk row that is no object keeps its position', () => {
    const parsed = message(bulk, '{"products":[{"sku":"a"},7,null,{"sku":"b"}]}');
    expect(parsed.products).toEqual([{ sku: 'a' }, {}, {}, { sku: 'b' }]);
    expect(parsed.malformed).toEqual(['products.1', 'products.2']);
  });

  test('an empty list is told from one that was not sent', () => {
    expect(message(input, '{"category_ids":[]}')).toEqual({ category_ids: [], empty_lists: ['category_ids'] });
    expect(message(input, '{}')).toEqual({});
  });

  test('D72: null where a list belongs is named as malformed, not ignored', () => {
    expect(message(input, '{"category_ids":null}')).toEqual({ malformed: ['category_ids'] });
  });

  test('D72: an empty wrapper is told from a missing one or no object, if asked for', () => {
    const bulkUpdate = messageType('store.inventory.v1.BulkUpdateProductsRequest');
    expect(message(bulkUpdate, '{"updates":{}}')).toEqual({ empty_lists: ['updates'] });
    expect(message(bulkUpdate, '{"updates":[]}')).toEqual({ malformed: ['updates'] });
    expect(message(bulkUpdate, '{"updates":null}')).toEqual({});
    expect(message(create, '{"product":{}}')).toEqual({ malformed: ['product'] });
  });

  test('D200: every list that a client can send declares how long it may be', () => {
    const sent = new Set<string>();
    const visit = (type: typeof create) => {
      if (sent.has(type.fullName)) return;
      sent.add(type.fullName);
      for (const field of type.fieldsArray) if (field.resolvedType instanceof type.constructor) visit(field.resolvedType as typeof create);
    };
    for (const { httpMethod, request } of endpoints()) if (httpMethod !== 'GET' && httpMethod !== 'DELETE') visit(request);
    const lists = Object.fromEntries(
      [...sent].map((name) => [name.split('.').at(-1), itemsMax(name)]).filter(([, found]) => Object.keys(found as object).length > 0),
    );
    expect(lists).toMatchObject({
      ProductInput: { category_ids: 100, revenue_center_ids: 100, additional_barcodes: 100, weight_presets: 50 },
      BulkUpsertRequest: { products: 1_000 },
      BulkUpdateProductsRequest: { product_ids: 10_000 },
    });
  });

  test('a client cannot write the names of what is malformed or empty_lists', () => {
    expect(message(input, '{"malformed":["name"],"empty_lists":["category_ids"],"name":"x"}')).toEqual({ name: 'x' });
  });

  test('unknown keys are ignored', () => {
    expect(message(create, '{"product":{"name":"x","current_stock":5},"store_id":2}')).toEqual({ product: { name: 'x' } });
  });
});

describe('hostile bodies', () => {
  test('__proto__ and constructor change no prototype and set no field', () => {
    const parsed = message(create, '{"__proto__":{"product":{"name":"x"}},"constructor":{"prototype":{"name":"y"}}}');
    expect(parsed.product).toBeUndefined();
    expect(({} as Record<string, unknown>).name).toBeUndefined();
    const inner = message(create, '{"product":{"__proto__":{"name":"x"}}}');
    expect(inner).toEqual({ product: {} });
    expect((inner.product as Record<string, unknown>).name).toBeUndefined();
  });

  test('D25: a lone surrogate arrives as NUL, which fields refuse; other text stays', () => {
    expect(message(input, '{"name":"a\\ud800b😀"}')).toEqual({ name: 'a\0b😀' });
  });

  test('any JSON object gives a message that protobuf can carry', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('name', 'price', 'category_ids', 'additional_barcodes', 'weight_presets'), fc.jsonValue()),
        (body) => {
          const parsed = message(input, JSON.stringify(body));
          const bytes = input.encode(parsed).finish();
          expect(input.toObject(input.decode(bytes), { arrays: true })).toMatchObject(parsed);
        },
      ),
    );
  });

  test('only objects are objects', () => {
    for (const text of ['1', '"x"', 'null', '[]', 'true']) expect(isObject(parseBody(text))).toBe(false);
    expect(isObject(parseBody('{}'))).toBe(true);
  });

  test('text that is no JSON is a SyntaxError', () => {
    for (const text of ['', '{', "{'a':1}", '{"a":01}']) expect(() => parseBody(text)).toThrow(SyntaxError);
  });
});

describe('a query', () => {
  const query = (text: string) => messageFromQuery(list, {}, new URLSearchParams(text));

  test('fills the fields that the message has, the last of a repeated one wins', () => {
    expect(query('search=a&search=b&nothing=1&brand=')).toEqual({ search: 'b', brand: '' });
  });

  test('bracketed names and inherited names are nothing (D25)', () => {
    expect(query('page[]=2&__proto__=x&toString=y&constructor=z')).toEqual({});
  });

  test('the path wins over the query', () => {
    const one = messageType('store.api.v1.IdRequest');
    expect(messageFromQuery(one, { id: '7' }, new URLSearchParams('id=8'))).toEqual({ id: '7' });
  });
});
