import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Json } from '@store/testbed';
import { holds } from '@store/testbed/holds';
import fc from 'fast-check';
import { type CatalogUnderTest, keyOf, staffOf, startCatalog } from '../../test/catalog-under-test.ts';

let catalog: CatalogUnderTest;
const storeId = 1;
const key = keyOf(storeId);
const staff = staffOf(storeId);
const ids: Record<string, number> = {};

/** One store for all filters: every test reads it, none changes it. */
beforeAll(async () => {
  catalog = await startCatalog();
  const acme = await catalog.brand('Acme', staff);
  const garden = await catalog.category({ name: 'Garden', store_type: 'general' }, staff);
  const lights = await catalog.category({ name: 'Lights', parent_id: garden.id }, staff);
  const leaf = await catalog.category({ name: 'Leaf', store_type: 'cannabis' }, staff);
  const [front, back] = [await catalog.center('Front', staff), await catalog.center('Back', staff)];
  Object.assign(ids, { front: front.id, back: back.id });
  const make = async (name: string, fields: object = {}) => {
    ids[name] = (await catalog.product({ name, ...fields }, staff)).id;
  };
  await make('Lantern', { sku: 'LAN-1', barcode: '5012345', brand_id: acme.id, category_ids: [lights.id], revenue_center_ids: [front.id] });
  await make('Spade', { sku: 'SP_100%', category_ids: [garden.id], additional_barcodes: [{ code: '777', label: 'old' }] });
  await make('Tea', { weight_presets: [{ weight: 100, label: 'bag', barcode: '2900100', price: 4 }], category_ids: [leaf.id] });
  await make('Shirt', { brand_id: acme.id, category_ids: [garden.id], revenue_center_ids: [back.id] });
  await make('Shirt large', { parent_id: ids.Shirt, option_label: 'Large', sku: 'SH-L' });
  await make('Hidden', { active: false, sku: 'HID' });
  await make('Gone', { sku: 'GONE' });
  await catalog.call('DeleteProduct', { id: String(ids.Gone) }, staff);
  await catalog.product({ name: 'Lantern', sku: 'LAN-1' }, keyOf(2));
});
afterAll(() => catalog.stop());

const names = (query: string) => catalog.names(query, key);
const total = async (query: string) => (await catalog.list(query, key)).pagination.total_count;

describe('GET /products', () => {
  test('the plain list has active top-level products by name, with variations nested', async () => {
    const { products, pagination } = await catalog.list('', key);
    expect(products.map((product: Json) => product.name)).toEqual(['Lantern', 'Shirt', 'Spade', 'Tea']);
    expect(pagination).toEqual({ current_page: 1, per_page: 25, total_count: 4, total_pages: 1 });
    expect(products[1].variations.map((variation: Json) => variation.name)).toEqual(['Shirt large']);
  });

  test.each([
    ['search=lant', ['Lantern'], 'name, in any case'],
    ['search=%20LANT%20', ['Lantern'], 'trimmed'],
    ['search=an-1', ['Lantern'], 'SKU'],
    ['search=1234', ['Lantern'], 'barcode'],
    ['search=29001', ['Tea'], 'weight-preset barcode'],
    ['search=acme', ['Lantern', 'Shirt', 'Shirt large'], 'brand name, a variation by that of its parent (D171)'],
    ['search=ea', ['Tea'], 'two characters, which the index cannot help'],
    ['search=shirt', ['Shirt', 'Shirt large'], 'variations are rows of their own'],
    ['search=sh-l', ['Shirt large'], 'a variation by its SKU'],
    ['search=777', [], 'not additional_barcodes'],
    ['search=old', [], 'not their labels'],
    ['search=nothing', [], 'nothing'],
    ['search=hidden', [], 'not inactive products'],
    ['search=gone', [], 'not deleted products'],
    ['search=p_1', ['Spade'], '_ is itself'],
    ['search=n_1', [], '_ is no wildcard'],
    ['search=100%25', ['Spade'], '% after three digits'],
    ['search=lantern%1Flan', [], 'no match across two fields'],
    ['search=', ['Lantern', 'Shirt', 'Spade', 'Tea'], 'blank: no filter'],
    ['search=%20', ['Lantern', 'Shirt', 'Spade', 'Tea'], 'spaces: no filter'],
  ])('D57: %s finds %j: %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test.each([
    ['category=lights', ['Lantern']],
    ['category=garden', ['Lantern', 'Shirt', 'Spade']],
    ['category=leaf', ['Tea']],
    ['category=store:general', ['Lantern', 'Shirt', 'Spade']],
    ['category=store:cannabis', ['Tea']],
    ['category=store:other', []],
    ['category=Garden', []],
    ['category=', ['Lantern', 'Shirt', 'Spade', 'Tea']],
    ['category=garden&search=shirt', ['Shirt', 'Shirt large']],
    ['category=leaf&search=shirt', []],
  ])('spec and D54, D55: %s includes subcategories and gives %j', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
    expect(await total(query)).toBe(expected.length);
  });

  test.each([
    ['brand=Acme', ['Lantern', 'Shirt']],
    ['brand=acme', []],
    ['brand=Acm', []],
    ['brand=', ['Lantern', 'Shirt', 'Spade', 'Tea']],
    ['brand=Acme&search=large', ['Shirt large']],
    ['brand=Acme&category=lights', ['Lantern']],
  ])('D53: %s is exact, an unknown brand is an empty list: %j', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
    expect(await total(query)).toBe(expected.length);
  });

  test('D54, D58: a revenue center filters to its products and those in none', async () => {
    expect(await names(`revenue_center_id=${ids.front}`)).toEqual(['Lantern', 'Spade', 'Tea']);
    expect(await names(`revenue_center_id=${ids.back}&search=shirt`)).toEqual(['Shirt', 'Shirt large']);
    expect(await names(`revenue_center_id=${ids.front}&search=shirt`)).toEqual([]);
  });

  test('D38: updated_since is exclusive, and lists changed variations with their parent', async () => {
    catalog.clock.advance(60_000);
    const before = new Date(catalog.clock.now().getTime() - 1).toISOString();
    await catalog.body('UpdateProduct', { product: { price: 5 } }, staff, { id: ids['Shirt large']! });
    expect(await names(`updated_since=${before}`)).toEqual(['Shirt', 'Shirt large']);
    expect(await total(`updated_since=${before}`)).toBe(2);
    expect(await names(`updated_since=${catalog.clock.now().toISOString()}`)).toEqual([]);
    expect(await names('updated_since=2026-11-20 13:00:30+01:00')).toEqual(['Shirt', 'Shirt large']);
    expect(await names('updated_since=2026-11-20')).toHaveLength(5);
    expect(await names('updated_since=2026-11-21')).toEqual([]);
    for (const junk of ['x', '']) expect(await names(`updated_since=${junk}`)).toHaveLength(4);
  });
});

test('D59: all=true lists inactive products too, for staff only', async () => {
  const all = ['Hidden', 'Lantern', 'Shirt', 'Spade', 'Tea'];
  expect(await catalog.names('all=true', staff)).toEqual(all);
  expect((await catalog.list('all=true&per_page=2', staff)).pagination).toMatchObject({ total_count: 5, total_pages: 3 });
  expect(await catalog.names('all=true&after=', staff)).toEqual(expect.arrayContaining(all));
  expect(await catalog.names('all=true&search=hidden', staff)).toEqual(['Hidden']);
  expect(await catalog.names('all=true&sku=HID', staff)).toEqual(['Hidden']);
  expect(await catalog.names('all=true&updated_since=2020-01-01', staff)).toContain('Hidden');
  expect(await catalog.names('all=true&category=garden', staff)).toEqual(['Lantern', 'Shirt', 'Spade']);
  expect(await catalog.names('', staff)).not.toContain('Hidden');
  expect(await names('all=true')).not.toContain('Hidden');
  expect(await names('all=true&sku=HID')).toEqual([]);
});

describe('paging', () => {
  test.each([
    ['page=0', 1, 25, 4],
    ['page=2', 2, 25, 0],
    ['per_page=3&page=2', 2, 3, 1],
    ['page=1&page=2&per_page=3', 2, 3, 1],
  ])('D33: %s is page %i of %i per page with %i rows', async (query, page, perPage, rows) => {
    const { products, pagination } = await catalog.list(query, key);
    expect(products).toHaveLength(rows);
    expect(pagination).toEqual({ current_page: page, per_page: perPage, total_count: 4, total_pages: Math.ceil(4 / perPage) });
  });

  test('D33: an empty list has 0 pages', async () => {
    expect(await catalog.list('search=nothing', key)).toEqual({
      products: [],
      pagination: { current_page: 1, per_page: 25, total_count: 0, total_pages: 0 },
    });
  });

  test('D34: all pages together are the whole list in order of name and id', async () => {
    let store = 100;
    const property = fc.asyncProperty(
      fc.array(fc.constantFrom('a', 'b', 'B', 'é', 'Zed', '10', '9'), { minLength: 1, maxLength: 25 }),
      fc.integer({ min: 1, max: 9 }),
      // The page and the total of a filter that finds all come from another statement.
      fc.constantFrom('', '&updated_since=2020-01-01'),
      async (chosen, perPage, filter) => {
        const reader = keyOf(++store);
        await catalog.body('BulkUpsert', { products: chosen.map((name, index) => ({ sku: `s${index}`, name })) }, reader);
        const pages: Json[] = [];
        for (let page = 1; page <= Math.ceil(chosen.length / perPage) + 1; page++) {
          const answer = await catalog.list(`page=${page}&per_page=${perPage}${filter}`, reader);
          expect(answer.pagination.total_count).toBe(chosen.length);
          pages.push(...answer.products);
        }
        const sorted = pages.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)) || a.id - b.id);
        expect(pages.map((product) => product.id)).toEqual(sorted.map((product) => product.id));
        expect(new Set(pages.map((product) => product.id)).size).toBe(chosen.length);
      },
    );
    await holds(property, { numRuns: 15 });
  });
});

const filters = () => ['search=shirt', 'category=garden', 'brand=Acme', `revenue_center_id=${ids.back}`, 'updated_since=2020-01-01'];

test('a list runs at most four SQL statements, whatever the filters', async () => {
  for (const query of ['', ...filters(), filters().join('&')]) {
    expect(await catalog.statementsOf(() => catalog.list(query, key))).toBeLessThanOrEqual(4);
  }
});

test('a search by text, time or codes reads its page and total in one statement', async () => {
  for (const query of ['search=lantern', 'updated_since=2100-01-01', 'sku=LAN-1', 'barcode=5012345', 'search=lantern&brand=Acme&page=2']) {
    expect([query, await catalog.statementsOf(() => catalog.list(query, key))]).toEqual([query, 1]);
  }
  expect((await catalog.list('search=shirt&page=9&per_page=1', key)).pagination).toMatchObject({ total_count: 2, total_pages: 2 });
});

test('another store sees none of it, by any filter', async () => {
  const stranger = keyOf(3);
  for (const query of ['', ...filters()]) {
    expect(await catalog.list(query, stranger)).toMatchObject({ products: [], pagination: { total_count: 0 } });
  }
});

/** A store of its own. */
const codesKey = keyOf(4);
const codesStaff = staffOf(4);
const everything = ['Comma', 'Half', 'Lantern', 'Lantern small', 'Shirt'];

describe('D253: GET /products finds exact codes', () => {
  beforeAll(async () => {
    const make = (name: string, fields: object = {}) => catalog.product({ name, ...fields }, codesStaff);
    await make('Lantern', { sku: 'LAN-1', barcode: '5012345', additional_barcodes: [{ code: '777' }, { code: '778' }] });
    await make('Lantern small', { sku: 'lan-1', barcode: '5012345' });
    await make('Comma', { sku: 'A,B' });
    await make('Half', { sku: 'A', weight_presets: [{ weight: 100, barcode: '2900100' }] });
    const shirt = await make('Shirt', { sku: 'SH' });
    await make('Shirt large', { sku: 'SH-L', barcode: '999', parent_id: shirt.id, option_label: 'Large' });
    await make('Hidden', { sku: 'HID', barcode: '1', active: false });
    const gone = await make('Gone', { sku: 'GONE', barcode: '2', weight_presets: [{ weight: 1, barcode: '3' }] });
    await catalog.call('DeleteProduct', { id: String(gone.id) }, codesStaff);
  });

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
    expect(await catalog.names(query, codesKey)).toEqual(expected);
    expect((await catalog.list(query, codesKey)).pagination.total_count).toBe(expected.length);
  });

  test('100 codes are answered, more are a 422; repeated ones count once', async () => {
    const codes = Array.from({ length: 100 }, (_, n) => `code ${n}`);
    expect(await catalog.names(`sku=${[...codes.slice(1), 'SH', 'SH'].join()}`, codesKey)).toEqual(['Shirt']);
    for (const name of ['sku', 'barcode']) {
      const refused = catalog.list(`${name}=${[...codes, 'one more'].join()}`, codesKey);
      expect(await catalog.refusal(refused)).toEqual({ status: 422, error: `at most 100 ${name}s per request` });
    }
  });

  test('a product that is found has its variations nested', async () => {
    const { products } = await catalog.list('sku=SH', codesKey);
    expect(products[0].variations.map(({ sku }: Json) => sku)).toEqual(['SH-L']);
  });
});
