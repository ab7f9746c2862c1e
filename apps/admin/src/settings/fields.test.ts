import { expect, test } from '@jest/globals';
import { nested, valuesOf } from './fields.ts';

test('the settings form holds values by path, and sends them nested as the API does', () => {
  const settings = { locale: 'en', timezone: 'UTC', store: { name: 'Lantern', phone: null }, tax: { mode: 'none', rate: null } };
  const values = valuesOf(settings as never);
  expect([values['store.name'], values['store.phone'], values['tax.rate']]).toEqual(['Lantern', '', '']);
  expect(nested({ 'tax.mode': 'single', 'tax.rate': '13', 'store.name': 'Lantern & Lace', timezone: 'Europe/London' })).toEqual({
    store: { name: 'Lantern & Lace' },
    timezone: 'Europe/London',
    tax: { mode: 'single', rate: '13' },
  });
});
