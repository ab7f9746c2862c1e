import { expect, test } from '@jest/globals';
import { deprecationHeaders, deprecationOf } from './deprecation.ts';

test('D30: what is deprecated says since when, and is served for twelve more months', () => {
  const headers = (day: string) => Object.fromEntries(deprecationHeaders(deprecationOf(day)!));
  expect(headers('2026-11-23')).toEqual({ Deprecation: '@1795392000', Sunset: 'Tue, 23 Nov 2027 00:00:00 GMT' });
  expect(headers('2028-02-29').Sunset).toBe('Thu, 01 Mar 2029 00:00:00 GMT');
  expect(deprecationOf(undefined)).toBeUndefined();
});

test.each(['soon', '2026-13-01', '2026', '2026-11-23T10:00:00Z'])('%s is no day', (day) => {
  expect(() => deprecationOf(day)).toThrow('is no day');
});
