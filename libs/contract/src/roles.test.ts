import { expect, test } from '@jest/globals';
import { endpoints } from './endpoints.ts';
import { optionsOf, root } from './load.ts';

test('D177: a staff endpoint that names no role, or an unknown one, does not load', () => {
  const access = optionsOf(root.lookupService('store.catalog.v1.Catalog').methods.DeleteBrand!).access as { role?: string };
  const { role } = access;
  try {
    for (const wrong of [undefined, '', 'cashier']) {
      access.role = wrong;
      expect(() => endpoints()).toThrow('.store.catalog.v1.Catalog.DeleteBrand: access names no role');
    }
  } finally {
    access.role = role;
  }
  expect(endpoints().length).toBeGreaterThan(0);
});
