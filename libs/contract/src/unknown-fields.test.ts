import { describe, expect, test } from '@jest/globals';
import { endpoints, messageType } from './endpoints.ts';
import { messageFromBody, parseBody } from './request.ts';
import { ignoredFields, unknownParameters } from './unknown-fields.ts';

const create = messageType('store.catalog.v1.CreateProductRequest');
const update = messageType('store.catalog.v1.UpdateProductRequest');
const bulk = messageType('store.catalog.v1.BulkUpsertRequest');
const endpointOf = (name: string) => endpoints().find(({ rpcName }) => rpcName === name)!;

function unknownOf(type: typeof create, text: string, { isStaff = false, params = {} } = {}) {
  const body = parseBody(text) as Record<string, unknown>;
  const message = messageFromBody(type, body);
  const { unknown, blank } = ignoredFields(type, body, message, { isStaff, params });
  return { names: unknown, blank, message };
}

describe('D255: what a body holds besides the fields of its endpoint', () => {
  test('is named by its path, at every depth, whatever it is called', () => {
    const text = '{"product":{"name":"a","prce":1,"Price":2,"__proto__":{},"additional_barcodes":[{"code":"1","lable":"x"}]},"prodct":{}}';
    const names = ['product.prce', 'product.Price', 'product.__proto__', 'product.additional_barcodes.0.lable', 'prodct'];
    expect(unknownOf(create, text, { isStaff: true }).names).toEqual(names);
  });

  test("fields only staff write, of the service itself or of the path are no key's", () => {
    const text = '{"id":7,"product":{"name":"a","category_ids":[1],"malformed":["name"],"unknown":["x"],"empty_lists":[]}}';
    const own = ['product.malformed', 'product.unknown', 'product.empty_lists'];
    expect(unknownOf(update, text, { params: { id: '5' } }).names).toEqual(['id', 'product.category_ids', ...own]);
    expect(unknownOf(update, text, { isStaff: true }).names).toEqual(own);
  });

  test('in rows saved one by one it is noted in the row, where nothing can be sent', () => {
    const text = '{"products":[{"sku":"a"},7,{"sku":"b","prce":1,"category_ids":[1],"unknown":["sku"]}]}';
    const { names, message } = unknownOf(bulk, text, { isStaff: true });
    expect(names).toEqual([]);
    expect(message.products).toEqual([{ sku: 'a' }, {}, { sku: 'b', category_ids: ['1'], unknown: ['prce', 'category_ids', 'unknown'] }]);
  });

  test('20 names are enough, each of 100 characters, in well-formed Unicode without NUL', () => {
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${n}`, 1])));
    expect(unknownOf(create, many).names).toHaveLength(20);
    const [name] = unknownOf(create, JSON.stringify({ [`\ud800${'x'.repeat(500)}`]: 1 })).names;
    expect(name).toBe(`\ufffd${'x'.repeat(99)}`);
  });
});

test('D283: null and blank text in place of a default are named, in rows by row', () => {
  expect(unknownOf(create, '{"product":{"name":"","price":null,"unit_type":" ","cost":null}}').blank).toEqual([
    'product.price',
    'product.unit_type',
  ]);
  const { blank, message } = unknownOf(bulk, '{"products":[{"sku":"a","price":"1"},{"sku":"b","price":null}]}');
  expect(blank).toEqual([]);
  expect(message.products).toEqual([
    { sku: 'a', price: '1' },
    { sku: 'b', price: '', malformed: ['price'] },
  ]);
});

test('D255: parameters an endpoint does not take, even of its path, are named once', () => {
  const query = new URLSearchParams('serach=a&page=1&serach=b&malformed=x&id=1');
  expect(unknownParameters(endpointOf('ListProducts'), query, { id: '5' }, false)).toEqual(['serach', 'malformed', 'id']);
  expect(unknownParameters(endpointOf('CreateProduct'), new URLSearchParams('dry_run=true&page=1'), {}, true)).toEqual(['page']);
  const include = new URLSearchParams('include=external_id,extrenal_id');
  expect(unknownParameters(endpointOf('CreateCustomer'), include, {}, true)).toEqual(['include=extrenal_id']);
  expect(unknownParameters(endpointOf('ListBrands'), include, {}, false)).toEqual(['include']);
});
