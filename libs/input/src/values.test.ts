import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cursorOf } from './cursor.ts';
import {
  amountField,
  booleanField,
  choice,
  dateField,
  idField,
  integerField,
  moneyField,
  paginationView,
  parseFields,
  parseId,
  parsePage,
  parseTimestamp,
  quantityField,
  requiredText,
  textField,
  timestampField,
  urlField,
} from './values.ts';

const judged = (field: Parameters<typeof parseFields>[0][string], text: string) => parseFields({ field }, { field: text });

describe('D33: paging is lenient', () => {
  test.each([
    [undefined, 1],
    ['', 1],
    ['abc', 1],
    ['0', 1],
    ['-3', 1],
    ['1.5', 1],
    ['2', 2],
    ['+2', 2],
    ['9'.repeat(400), 1_000_000_000],
  ])('page %p is page %i', (text, page) => {
    expect(parsePage({ page: text }, 25).page).toBe(page);
  });

  test.each([
    [undefined, 25],
    ['0', 25],
    ['-1', 25],
    ['ten', 25],
    ['1', 1],
    ['100', 100],
    ['101', 100],
    ['9'.repeat(400), 100],
  ])('per_page %p is %i', (text, perPage) => {
    expect(parsePage({ per_page: text }, 25).perPage).toBe(perPage);
  });

  test('any text gives a page that a query can use', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (page, perPage) => {
        const parsed = parsePage({ page, per_page: perPage }, 50);
        return (
          parsed.page >= 1 && parsed.perPage >= 1 && parsed.perPage <= 100 && Number.isSafeInteger(parsed.offset) && parsed.offset >= 0
        );
      }),
    );
  });

  test('every row is on exactly one page, and an empty list has no pages', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 1, max: 100 }), (total, perPage) => {
        const page = parsePage({ per_page: String(perPage) }, 25);
        const { total_pages: pages } = paginationView(page, total);
        return total === 0 ? pages === 0 : pages * perPage >= total && (pages - 1) * perPage < total;
      }),
    );
  });
});

describe('D284: a cursor', () => {
  test('is the row that it was written for, with one row more to read than are shown', () => {
    fc.assert(
      fc.property(
        fc.nat(999_999_999),
        fc.maxSafeNat(),
        fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }),
        (page, id, createdAt) => {
          const parsed = parsePage({ after: cursorOf(page, { id, createdAt }), page: '7', per_page: '10' }, 25);
          expect(parsed).toEqual({ page, perPage: 10, offset: 0, limit: 11, walk: { mark: { id, createdAt } } });
        },
      ),
    );
    expect(parsePage({ after: ' ' }, 25)).toEqual({ page: 1, perPage: 25, offset: 0, limit: 26, walk: { mark: undefined } });
  });

  test('is refused where it was not written so', () => {
    const refused = (after: string) =>
      expect(() => parsePage({ after }, 25)).toThrow('after must be empty or the cursor of an earlier answer');
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
        refused,
      ),
    );
    for (const text of ['1.1.', '01.1.1', '1.01.1', `1.${'9'.repeat(16)}.1`, `1.1.${'9'.repeat(16)}`, '1.1.9999999999999999', '-1.1.1'])
      refused(Buffer.from(text).toString('base64url'));
    refused(`${cursorOf(1, { id: 1, createdAt: new Date(0) })}=`);
  });
});

describe('D25: an id that no row can have matches nothing', () => {
  test.each(['1', '9007199254740991'])('%s is an id', (text) => expect(parseId(text)).toBe(Number(text)));
  test.each(['0', '-1', '9007199254740992', '9'.repeat(30), '1.0', '1e3', ' 1', '', '١', '0x1', 'null'])('%p is none', (text) =>
    expect(parseId(text)).toBeUndefined(),
  );
});

describe('D36: timestamps', () => {
  const zone = 'Europe/London';
  test.each([
    ['2026-07-01T12:00:00Z', '2026-07-01T12:00:00.000Z'],
    ['2026-07-01T12:00:00+02:00', '2026-07-01T10:00:00.000Z'],
    ['2026-07-01T12:00:00', '2026-07-01T11:00:00.000Z'],
    ['2026-07-01', '2026-06-30T23:00:00.000Z'],
    ['2026-07-01T12:00:00 02:00', '2026-07-01T10:00:00.000Z'],
    ['2026-07-01 12:00:00', '2026-07-01T11:00:00.000Z'],
    ['2026-07-01 12:00', '2026-07-01T11:00:00.000Z'],
    ['2026-07-01 12:00:00 02:00', '2026-07-01T10:00:00.000Z'],
    ['20260701T120000Z', '2026-07-01T12:00:00.000Z'],
    ['20260701T120000.5Z', '2026-07-01T12:00:00.500Z'],
    ['20260701T120000+0200', '2026-07-01T10:00:00.000Z'],
    ['20260701T120000 0200', '2026-07-01T10:00:00.000Z'],
    ['20260701T1200', '2026-07-01T11:00:00.000Z'],
    ['20260701 1200', '2026-07-01T11:00:00.000Z'],
    ['20260701', '2026-06-30T23:00:00.000Z'],
    ['2026-01-01T00:00:00.1234567Z', '2026-01-01T00:00:00.123Z'],
  ])('%s is %s in the store', (text, utc) => {
    expect(parseTimestamp(text, zone)?.toISOString()).toBe(utc);
  });
  test.each([
    '',
    'yesterday',
    '2026',
    '2026-13-01',
    '2026-02-30',
    '20261301',
    '20260230T000000Z',
    '2026070',
    '12:00',
    '1719835200',
    `2026-07-01${' '.repeat(50)}`,
  ])('%p is none', (text) => {
    expect(parseTimestamp(text, zone)).toBeUndefined();
  });
  test('any text is a time or nothing, never an exception', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const parsed = parseTimestamp(text, zone);
        return parsed === undefined || !Number.isNaN(parsed.getTime());
      }),
    );
  });
});

describe('fields of a body', () => {
  test('D151: only true and false are booleans', () => {
    expect(judged(booleanField(), 'true').values).toEqual({ field: true });
    expect(judged(booleanField(), 'false').values).toEqual({ field: false });
    for (const text of ['', '1', '0', 'TRUE', 'yes', 'null'])
      expect(judged(booleanField(), text).errors).toEqual({ field: ['must be true or false'] });
  });

  test('D25: NUL is a field error', () => {
    for (const field of [textField(), requiredText()])
      expect(judged(field, 'a\0b').errors).toEqual({ field: ['contains invalid characters'] });
  });

  test('blank text is null, and an error where it is required', () => {
    expect(judged(textField(), '  ').values).toEqual({ field: null });
    expect(judged(requiredText(), '  ').errors).toEqual({ field: ["can't be blank"] });
    expect(judged(textField(3), 'abcd').errors).toEqual({ field: ['is too long (maximum is 3 characters)'] });
  });

  test('D166: money and quantities stay within their columns', () => {
    expect(judged(moneyField(), '999999999999.99').values).toEqual({ field: '999999999999.99' });
    expect(judged(moneyField(), '999999999999.995').errors).toEqual({ field: ['is too large'] });
    expect(judged(moneyField(), '1e30').errors).toEqual({ field: ['is too large'] });
    expect(judged(moneyField(), '-0.01').errors).toEqual({ field: ['must be greater than or equal to 0'] });
    expect(judged(moneyField(), '-0.001').values).toEqual({ field: '0.00' });
    expect(judged(quantityField(), '-1.0005').values).toEqual({ field: '-1.001' });
    expect(judged(amountField(), '-1').errors).toEqual({ field: ['must be greater than or equal to 0'] });
    expect(judged(quantityField(), '-1e15').errors).toEqual({ field: ['is too large'] });
    expect(judged(moneyField(), '12abc').errors).toEqual({ field: ['is not a number'] });
  });

  test('ids, whole numbers, dates, times and choices say what they must be', () => {
    expect(judged(idField(), '12').values).toEqual({ field: 12 });
    expect(judged(idField(), '12.5').errors).toEqual({ field: ['must be an integer'] });
    expect(judged(integerField(1, 5), '6').errors).toEqual({ field: ['must be between 1 and 5'] });
    expect(judged(dateField(), '2026-02-29').errors).toEqual({ field: ['must be a valid date'] });
    expect(judged(dateField(), '2028-02-29').values).toEqual({ field: '2028-02-29' });
    for (const text of ['soon', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z'])
      expect([text, judged(timestampField('UTC'), text).errors]).toEqual([text, { field: ['must be a valid timestamp'] }]);
    expect(judged(choice(['a', 'b']), 'c').errors).toEqual({ field: ['must be one of a, b'] });
  });

  test('unsent stays absent, unlisted is ignored, the wrong kind is invalid', () => {
    const fields = { name: requiredText(), price: moneyField(), active: booleanField() };
    const { values, errors } = parseFields(fields, { name: 'Lantern', extra: 'x', price: '5', malformed: ['price', 'extra.0'] });
    expect(values).toEqual({ name: 'Lantern' });
    expect(errors).toEqual({ price: ['is invalid'] });
  });
});

test('an address is of http or https: a script, data or half of one is refused', () => {
  const messageOf = (text: string) => parseFields({ icon_url: urlField(2048) }, { icon_url: text }).errors.icon_url;
  for (const good of ['https://cdn.example/a.png?x=1', 'http://10.0.0.1/a', 'HTTPS://CDN.example', ' '])
    expect([good, messageOf(good)]).toEqual([good, undefined]);
  for (const bad of [
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '//cdn.example/a',
    'a.png',
    'ftp://a.example/x',
  ])
    expect([bad, messageOf(bad)]).toEqual([bad, ['must be an http or https address']]);
});
