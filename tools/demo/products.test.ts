import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkDigit, openingStock, shopBarcode } from './gift-plan.ts';
import { productName } from './product-name.ts';
import { demoProducts } from './products.ts';
import { row } from './transactions.testing.ts';
import { parseTransactions, readTransactions, type Transaction } from './transactions.ts';

const one = (...rows: Transaction[]) => demoProducts(rows)[0];
const skus = (...rows: Transaction[]) => demoProducts(rows).map((product) => product.sku);

describe('transactions', () => {
  const head = 'InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country';

  test('a quoted description keeps its commas and quotes', () => {
    const csv = `${head}\n536381,51014A,"FEATHER PEN,HOT PINK",2,01/12/2010 09:41,0.39,15311,United Kingdom\n536381,90214A,"LETTER ""A"" BLING",1,01/12/2010 09:41,1.25,,France\n`;
    expect(parseTransactions(csv).map(({ description, pence }) => ({ description, pence }))).toEqual([
      { description: 'FEATHER PEN,HOT PINK', pence: 39 },
      { description: 'LETTER "A" BLING', pence: 125 },
    ]);
  });

  test('a line that is not a transaction is named', () => {
    expect(() => parseTransactions(`${head}\n536381,51014A,PEN,two,01/12/2010 09:41,0.39,,`)).toThrow('line 2 is no transaction');
  });
});

describe('one product per stock code', () => {
  test('codes that differ in case or spaces are one product', () => {
    expect(skus(row({ code: '15056BL' }), row({ code: '15056bl' }), row({ code: ' 15056BL ' }))).toEqual(['15056BL']);
  });

  test.each(['POST', 'DOT', 'C2', 'D', 'M', 'BANK CHARGES', '7105', '710533', '71053ABC'])('the service code %s is no product', (code) => {
    expect(skus(row({ code }))).toEqual([]);
  });

  test.each(['', '   ', '?', 'amazon', 'damages', '??? missing'])('the note "%s" is not a name', (description) => {
    expect(skus(row({ description }))).toEqual([]);
    expect(one(row({ description }), row({ description }), row())?.name).toBe('White Metal Lantern');
  });

  test('the most frequent description names it; of equally frequent ones the latest', () => {
    const polka = row({ description: 'HAND WARMER RED POLKA DOT' });
    const retro = row({ description: 'HAND WARMER  RED RETROSPOT ' });
    expect(one(polka, retro, { ...retro, description: 'HAND WARMER RED RETROSPOT' })?.name).toBe('Hand Warmer Red Retrospot');
    expect(one(polka, retro)?.name).toBe('Hand Warmer Red Retrospot');
    expect(one(retro, polka)?.name).toBe('Hand Warmer Red Polka Dot');
  });

  test('the most frequent price is its price and the lowest its wholesale price', () => {
    expect(one(row(), row(), row({ pence: 375 }), row({ pence: 295 }))).toMatchObject({ price: '3.39', wholesalePrice: '2.95' });
    expect(one(row(), row())).not.toHaveProperty('wholesalePrice');
  });

  test('of equally frequent prices the lowest is used', () => {
    expect(one(row({ pence: 675 }), row({ pence: 255 }))?.price).toBe('2.55');
  });

  test('zero and negative prices are ignored, and a code with no other is not a product', () => {
    expect(one(row({ pence: 0 }), row({ pence: 0 }), row({ pence: -100 }), row())?.price).toBe('3.39');
    expect(skus(row({ pence: 0 }), row({ pence: -100 }))).toEqual([]);
  });

  test('cancelled lines count for the price only where there is no other', () => {
    const cancelled = row({ invoice: 'C536379', quantity: -1, pence: 199 });
    expect(one(cancelled, cancelled, row())?.price).toBe('3.39');
    expect(one(cancelled)).toMatchObject({ price: '1.99', onlyReturned: true, sold: 0, net: -1 });
  });

  test('sold counts sales only, net also returns and write-offs', () => {
    const lines = [row(), row({ quantity: 4 }), row({ invoice: 'C1', quantity: -2 }), row({ quantity: -3, pence: 0, description: '' })];
    expect(one(...lines)).toMatchObject({ sold: 10, net: 5 });
  });

  test('the published data gives these products (docs/demo-data.md)', () => {
    const rows = readTransactions();
    const products = demoProducts(rows);
    const codes = new Set(rows.map(({ code }) => code)).size;
    const byCode = Map.groupBy(rows, ({ code }) => code.trim().toUpperCase());
    const goods = [...byCode].filter(([code]) => /^\d{5}[A-Z]{0,2}$/.test(code)).map(([, lines]) => lines);
    const names = (lines: Transaction[]) =>
      new Set(lines.map(({ description }) => description.trim().replace(/\s+/g, ' ')).filter((name) => /[A-Z]/.test(name)));
    const prices = (lines: Transaction[]) => new Set(lines.map(({ pence }) => pence).filter((pence) => pence > 0));
    const count = <T>(among: T[], is: (one: T) => boolean) => among.filter(is).length;
    const isCancelled = ({ invoice }: Transaction) => invoice.startsWith('C');
    expect({
      rows: rows.length,
      codes: [codes, codes - byCode.size, byCode.size - goods.length, rows.length - goods.flat().length],
      descriptions: [
        count(rows, ({ description }) => description.trim() === ''),
        count(rows, ({ description }) => description.trim() !== '' && !/[A-Z]/.test(description)),
      ],
      severalNames: count(goods, (lines) => names(lines).size > 1),
      severalPrices: count(goods, (lines) => prices(lines).size > 1),
      cancelledOnly: count(products, ({ onlyReturned }) => onlyReturned),
      prices: [count(rows, ({ pence }) => pence === 0), count(rows, ({ pence }) => pence < 0)],
      without: [count(goods, (lines) => names(lines).size === 0), count(goods, (lines) => prices(lines).size === 0)],
      noSales: [count(rows, isCancelled), count(rows, (row) => row.quantity < 0 && !isCancelled(row))],
      products: products.length,
    }).toEqual({
      rows: 10_000,
      codes: [2_015, 27, 6, 38],
      descriptions: [42, 3],
      severalNames: 9,
      severalPrices: 941,
      cancelledOnly: 9,
      prices: [46, 0],
      without: [15, 15],
      noSales: [100, 30],
      products: 1_967,
    });
    expect(new Set(products.map((product) => product.sku)).size).toBe(products.length);
    expect(products.filter(({ name, price }) => !/^\S.*\S$/.test(name) || !/^\d+\.\d\d$/.test(price) || price === '0.00')).toEqual([]);
  });
});

describe('a name that reads well', () => {
  test.each([
    ['SET OF 3 BLACK FLYING DUCKS', 'Set of 3 Black Flying Ducks'],
    ['  PINK  BREAKFAST CUP AND SAUCER ', 'Pink Breakfast Cup and Saucer'],
    ['FEATHER PEN,HOT PINK', 'Feather Pen, Hot Pink'],
    ['RED WOOLLY HOTTIE WHITE HEART.', 'Red Woolly Hottie White Heart'],
    ['DECOUPAGE,GREETING CARD,', 'Decoupage, Greeting Card'],
    ["CHILDREN'S SPACEBOY MUG", "Children's Spaceboy Mug"],
    ['BLACK CHRISTMAS TREE 60CM', 'Black Christmas Tree 60cm'],
    ['RED TOADSTOOL LED NIGHT LIGHT', 'Red Toadstool LED Night Light'],
    ['BLUE FELT HANGING HEART W FLOWER', 'Blue Felt Hanging Heart with Flower'],
    ['WHITE HANGING HEART T-LIGHT HOLDER', 'White Hanging Heart T-Light Holder'],
    ['CHARLIE+LOLA RED HOT WATER BOTTLE', 'Charlie+Lola Red Hot Water Bottle'],
  ])('%s is %s', (description, name) => {
    expect(productName(description)).toBe(name);
  });

  test('whatever the description, its name has no stray spaces', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const name = productName(text);
        expect(name).toBe(name.trim());
        expect(name).not.toMatch(/\s\s/);
      }),
    );
  });
});

describe('opening stock', () => {
  test('covers twice what was sold, in whole cases', () => {
    expect(openingStock({ sold: 3, net: 3 })).toBe(6);
    expect(openingStock({ sold: 4, net: 4 })).toBe(12);
    expect(openingStock({ sold: 1_842, net: 1_842 })).toBe(6_144);
  });

  test('is nothing where as much came back as was sold', () => {
    expect(openingStock({ sold: 5, net: 0 })).toBe(0);
    expect(openingStock({ sold: 5, net: -20 })).toBe(0);
  });
});

describe('barcodes', () => {
  test('the check digit is that of EAN-13', () => {
    expect(checkDigit('501234567890')).toBe(0);
    expect(checkDigit('400638133393')).toBe(1);
  });

  test('every product has one of its own, 13 digits in the range kept for a shop', () => {
    const products = demoProducts(readTransactions());
    const codes = products.flatMap(({ sku }) => [0, 1, 2].map((use) => shopBarcode(sku, use)));
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.filter((code) => !/^20\d{11}$/.test(code) || checkDigit(code.slice(0, 12)) !== Number(code[12]))).toEqual([]);
  });
});
