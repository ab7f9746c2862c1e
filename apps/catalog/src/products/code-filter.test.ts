import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Json } from '@store/testbed';
import { type CatalogUnderTest, keyOf, staffOf, startCatalog } from '../../test/catalog-under-test.ts';

let catalog: CatalogUnderTest;
const storeId = 1;
const key = keyOf(storeId);
const staff = staffOf(storeId);

beforeAll(async () => {
  catalog = await startCatalog();
  const make = (name: string, fields: object = {}) => catalog.product({ name, ...fields }, staff);
  await make('Lantern', { sku: 'LAN-1', barcode: '5012345', additional_barcodes: [{ code: '777' }, { code: '778' }] });
  await make('Lantern small', { sku: 'lan-1', barcode: '5012345' });
  await make('Comma', { sku: 'A,B' });
  await make('Half', { sku: 'A', weight_presets: [{ weight: 100, barcode: '2900100' }] });
  const shirt = await make('Shirt', { sku: 'SH' });
  await make('Shirt large', { sku: 'SH-L', barcode: '999', parent_id: shirt.id, option_label: 'Large' });
  await make('Hidden', { sku: 'HID', barcode: '1', active: false });
  const gone = await make('Gone', { sku: 'GONE', barcode: '2', weight_presets: [{ weight: 1, barcode: '3' }] });
  await catalog.call('DeleteProduct', { id: String(gone.id) }, staff);
});
afterAll(() => catalog.stop());

const names = (query: string) => catalog.names(query, key);
const everything = ['Comma', 'Half', 'Lantern', 'Lantern small', 'Shirt'];

describe('D253: GET /products finds exact codes', () => {
  test.each([
    ['sku=LAN-1', ['Lantern'], 'case-sensitively'],
    ['sku=LAN', [], 'never a part of one'],
    ['sku=%20LAN-1%20,%20SH-L,nothing,LAN-1', ['Lantern', 'Shirt large'], 'several, trimmed, each once; a variation as a row'],
    ['sku=A,B', ['Comma', 'Half'], 'the whole text too, so that a sku with a comma is found'],
    ['sku=HID,GONE', [], 'not of inactive and deleted products'],
    ['sku=%00,LAN-1', ['Lantern'], 'NUL matches nothing'],
    ['sku=%00', [], 'NUL alone matches nothing'],
    ['sku=,', [], 'commas alone match nothing'],
    ['sku=', everything, 'blank: no filter'],
    ['barcode=5012345', ['Lantern', 'Lantern small'], 'every product that has the barcode'],
    ['barcode=778', ['Lantern'], 'an additional barcode'],
    ['barcode=2900100,999', ['Half', 'Shirt large'], 'a weight preset, a variation'],
    ['barcode=77,1,2,3', [], 'not a part, not of inactive and deleted products'],
    ['barcode=', everything, 'blank: no filter'],
    ['barcode=5012345&sku=lan-1', ['Lantern small'], 'both must match'],
    ['sku=LAN-1&search=shirt', [], 'with search, both must match'],
  ])('%s: %j, %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
    expect((await catalog.list(query, key)).pagination.total_count).toBe(expected.length);
  });

  test('100 codes are answered, more are a 422; repeated ones count once', async () => {
    const codes = Array.from({ length: 100 }, (_, n) => `code ${n}`);
    expect(await names(`sku=${[...codes.slice(1), 'SH', 'SH'].join()}`)).toEqual(['Shirt']);
    for (const name of ['sku', 'barcode']) {
      const refused = catalog.list(`${name}=${[...codes, 'one more'].join()}`, key);
      expect(await catalog.refusal(refused)).toEqual({ status: 422, error: `at most 100 ${name}s per request` });
    }
  });

  test('a product that is found has its variations nested', async () => {
    const { products } = await catalog.list('sku=SH', key);
    expect(products[0].variations.map(({ sku }: Json) => sku)).toEqual(['SH-L']);
  });
});
