import { describe, expect, test } from '@jest/globals';
import { brandOf } from './brands.ts';
import { categoryOf } from './categories.ts';
import { families } from './families.ts';
import { type DemoProduct, demoProducts } from './products.ts';
import { readTransactions } from './transactions.ts';

const product = (sku: string, name: string): DemoProduct => ({ sku, name, price: '1.00', sold: 1, net: 1, onlyReturned: false });

describe('the category of a product', () => {
  test.each([
    ['White Metal Lantern', 'Lanterns & Lights'],
    ['White Hanging Heart T-Light Holder', 'T-Light Holders'],
    ['Christmas Lights 10 Reindeer', 'Christmas Decorations'],
    ['Mini Jigsaw Bake a Cake', 'Games & Puzzles'],
    ['Hot Water Bottle Tea and Sympathy', 'Hot Water Bottles & Warmers'],
    ['Set of 2 Tea Towels Apple and Pears', 'Tea & Coffee'],
    ['Letter "A" Bling Key Ring', 'Key Rings & Charms'],
    ['Utterly Unheard Of', 'More Gifts'],
  ])('%s is in %s', (name, category) => {
    expect(categoryOf(name).name).toBe(category);
  });

  test('words are matched whole: a tin is not in knitting', () => {
    expect(categoryOf('Knitting Nancy').name).toBe('Sewing & Crafts');
  });

  test('at most one product in twenty falls into More Gifts', () => {
    const products = demoProducts(readTransactions());
    const rest = products.filter(({ name }) => categoryOf(name).name === 'More Gifts');
    expect(rest.length).toBeLessThan(products.length / 20);
  });

  test('a category has one parent only', () => {
    const products = demoProducts(readTransactions());
    const places = products.map(({ name }) => categoryOf(name));
    const paths = new Set(places.map(({ parent, name }) => `${parent} > ${name}`));
    expect(paths.size).toBe(new Set(places.map(({ name }) => name)).size);
  });
});

describe('the brand of a product', () => {
  test('is the range that its name shows, or none', () => {
    expect(brandOf('Charlie+Lola Red Hot Water Bottle')).toBe('Charlie & Lola');
    expect(brandOf('Jumbo Bag Red Retrospot')).toBe('Retrospot');
    expect(brandOf('White Metal Lantern')).toBeUndefined();
  });
});

describe('variations', () => {
  test("codes that differ by a letter, or names in the middle, are one product's designs", () => {
    expect(families([product('90200A', 'Purple Sweetheart Bracelet'), product('90200B', 'Black Sweetheart Bracelet')])).toEqual([
      {
        sku: '90200',
        name: 'Sweetheart Bracelet',
        members: [
          { sku: '90200A', label: 'Purple' },
          { sku: '90200B', label: 'Black' },
        ],
      },
    ]);
  });

  test.each([
    ['names that share too little', [product('47504H', 'English Rose Spirit Level'), product('47504K', 'English Rose Garden Secateurs')]],
    ['names that are equal', [product('82613B', 'Metal Sign, Cupcake Single Hook'), product('82613C', 'Metal Sign, Cupcake Single Hook')]],
    ['a code of its own', [product('85123A', 'White Heart Holder')]],
    [
      'a stem that is a product already',
      [product('47566', 'Party Bunting'), product('47566A', 'Red Tea Bunting'), product('47566B', 'Blue Tea Bunting')],
    ],
  ])('%s make no family', (_why, products) => {
    expect(families(products)).toEqual([]);
  });

  test('no product of the data is in two families; every label names its variation', () => {
    const found = families(demoProducts(readTransactions()));
    const members = found.flatMap((family) => family.members);
    expect(found.length).toBeGreaterThan(40);
    expect(new Set(members.map(({ sku }) => sku)).size).toBe(members.length);
    expect(members.filter(({ label }) => label === '')).toEqual([]);
  });
});
