import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import protobuf from 'protobufjs';
import { endpoints, messageType } from './endpoints.ts';
import { optionsOf } from './load.ts';
import { renderMembers, renderView } from './render.ts';

const everything = () => true;
const nothing = () => false;
const product = messageType('store.catalog.v1.Product');
const barcode = messageType('store.catalog.v1.Barcode');

/** Every message that an endpoint answers with, and all messages inside. */
function responseTypes(): protobuf.Type[] {
  const found = new Set<protobuf.Type>();
  const visit = (type: protobuf.Type) => {
    if (found.has(type)) return;
    found.add(type);
    for (const field of type.fieldsArray) if (field.resolvedType instanceof protobuf.Type) visit(field.resolvedType);
  };
  for (const endpoint of endpoints()) visit(endpoint.response);
  return [...found];
}

/** A value for every field, and the JSON expected for it; recursion stops at a depth. */
function filled(type: protobuf.Type, depth = 0): { view: Record<string, unknown>; json: Record<string, unknown> } {
  const view: Record<string, unknown> = {};
  const json: Record<string, unknown> = {};
  type.fieldsArray.forEach((field, index) => {
    const one = filledField(field, index + 1, depth);
    if (one === undefined) {
      if (field.repeated) json[field.name] = [];
      else if (optionsOf(field).nullable) json[field.name] = null;
      return;
    }
    view[field.name] = field.repeated ? [one.view, one.view] : one.view;
    json[field.name] = field.repeated ? [one.json, one.json] : one.json;
  });
  return { view, json };
}

function filledField(field: protobuf.Field, seed: number, depth: number): { view: unknown; json: unknown } | undefined {
  if (field.resolvedType instanceof protobuf.Type) return depth >= 3 ? undefined : filled(field.resolvedType, depth + 1);
  if (optionsOf(field).raw_json === true) return { view: '{"price":"1.10"}', json: { price: '1.10' } };
  if (field.type === 'string') return { view: `"${field.name}"\n€😀\\ ${seed}`, json: `"${field.name}"\n€😀\\ ${seed}` };
  if (field.type === 'bool') return { view: true, json: true };
  if (field.type === 'double') return { view: seed + 0.125, json: seed + 0.125 };
  if (field.type === 'int64') return { view: 2 ** 40 + seed, json: 2 ** 40 + seed };
  return { view: seed, json: seed };
}

describe.each(responseTypes().map((type) => [type.fullName, type] as const))('%s', (_name, type) => {
  test('a view with every field comes back from the JSON as it went in', () => {
    const { view, json } = filled(type);
    expect(JSON.parse(renderView(type, view, everything))).toEqual(json);
  });

  test('its fields are numbered in the order in which they are declared', () => {
    const ids = type.fieldsArray.map((field) => field.id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  test('an empty view has no undefined, and null only where the proto says nullable', () => {
    const parsed = JSON.parse(renderView(type, {}, everything)) as Record<string, unknown>;
    for (const field of type.fieldsArray) {
      if (parsed[field.name] === null) expect(optionsOf(field).nullable).toBe(true);
      if (field.repeated) expect(parsed[field.name]).toEqual([]);
    }
  });
});

describe('presence (D39)', () => {
  test('a field without a value is left out of a product, null in shapes that say so', () => {
    const json = JSON.parse(renderView(product, { id: 7, variations: [{ id: 8, name: 'Large', price: '1.00' }] }, nothing));
    expect(Object.keys(json)).not.toContain('sku');
    expect(json.variations[0]).toMatchObject({ sku: null, barcode: null, additional_barcodes: [] });
  });

  test('false, 0 and [] are values and are sent', () => {
    const sent = { low_stock_threshold: 0, current_stock: 0, active: false, additional_barcodes: [], variations: [] };
    expect(JSON.parse(renderView(product, { id: 7, low_stock_threshold: 0 }, nothing))).toMatchObject(sent);
  });

  test('an optional text that is empty is present', () => {
    expect(renderView(barcode, { code: 'a', label: '' }, nothing)).toBe('{"code":"a","label":""}');
  });
});

test('cost fields are absent without costs:read, never null or 0, and present with it', () => {
  const view = { id: 7, cost: '1.00', average_cost: '2.00', wholesale_price: '3.00' };
  expect(renderView(product, view, (scope) => scope !== 'costs:read')).not.toMatch(/cost|wholesale/);
  expect(JSON.parse(renderView(product, view, (scope) => scope === 'costs:read'))).toMatchObject({ cost: '1.00', average_cost: '2.00' });
});

test('members come in declared order whatever the order on the wire', () => {
  const bytes = Buffer.concat([barcode.encode({ label: 'b' } as object).finish(), barcode.encode({ code: 'a' } as object).finish()]);
  expect(renderMembers(barcode, bytes, nothing).map(([name]) => name)).toEqual(['code', 'label']);
});

test('any text and any finite number survive the way through the wire into JSON', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.double({ noNaN: true, noDefaultInfinity: true }), (name, stock) => {
      const parsed = JSON.parse(renderView(product, { id: 1, name, current_stock: stock }, nothing));
      expect(parsed.name).toBe(name);
      expect(parsed.current_stock).toBe(stock === 0 ? 0 : stock);
    }),
  );
});

test('a number that JSON cannot hold is a defect and never null', () => {
  expect(() => renderView(product, { current_stock: Number.NaN }, nothing)).toThrow('no finite number');
});

test('fields that this version does not know are skipped', () => {
  const writer = protobuf.Writer.create();
  writer.uint32((900 << 3) | 2).string('later');
  writer.uint32((1 << 3) | 2).string('code');
  expect(renderMembers(barcode, writer.finish(), nothing)).toEqual([
    ['code', '"code"'],
    ['label', '""'],
  ]);
});
