import { expect, test } from '@jest/globals';
import { changesOf, valuesOf } from './fields.ts';

test('the form of settings sends what was changed and nothing else, nested as the API nests it', () => {
  const settings = { locale: 'en', timezone: 'UTC', store: { name: 'Lantern', phone: null }, tax: { mode: 'none', rate: null } };
  const before = valuesOf(settings as never);
  expect([before['store.name'], before['store.phone'], before['tax.rate']]).toEqual(['Lantern', '', '']);
  expect(changesOf(before, before)).toEqual({});
  const after = { ...before, 'tax.mode': 'single', 'tax.rate': '13', 'store.name': 'Lantern & Lace', timezone: 'Europe/London' };
  expect(changesOf(before, after)).toEqual({
    store: { name: 'Lantern & Lace' },
    timezone: 'Europe/London',
    tax: { mode: 'single', rate: '13' },
  });
});
