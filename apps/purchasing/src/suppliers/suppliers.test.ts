import { expect, test } from '@jest/globals';
import { purchasing, sharePurchasing } from '../../test/shared-purchasing.ts';
import { asStaff } from '../../test/start-purchasing.ts';

sharePurchasing();

const create = (supplier: unknown, storeId = 1) => purchasing.answer('CreateSupplier', { supplier }, asStaff(storeId));
const list = async (storeId: number) => (await purchasing.call('ListSuppliers', {}, asStaff(storeId))).json.suppliers;

test('golden: a supplier holds exactly these keys, null where there is nothing', async () => {
  const { text, json } = await create({ name: 'Lantern Works', email: 'orders@lantern.example' });
  const at = '2026-11-20T12:00:00.000Z';
  expect(text).toBe(
    `{"supplier":{"id":${json.supplier.id},"name":"Lantern Works","email":"orders@lantern.example","phone":null,"created_at":"${at}","updated_at":"${at}"}}`,
  );
  const [event] = (await purchasing.events(1)).slice(-1);
  expect(event).toMatchObject({
    name: 'supplier.created',
    body: null,
    audit: { action: 'supplier.create', after: { name: 'Lantern Works' } },
  });
});

test('suppliers are listed by name in code point order, those of the store alone', async () => {
  for (const name of ['b', 'B', 'ä', 'a']) await create({ name }, 2);
  expect((await list(2)).map(({ name }: { name: string }) => name)).toEqual(['B', 'a', 'b', 'ä']);
  expect(await list(3)).toEqual([]);
});

test('400 without the wrapper, 422 without a name or with one too long', async () => {
  const refused = (supplier: unknown) => purchasing.refusal(create(supplier));
  expect(await refused(undefined)).toEqual({ status: 400, error: 'param is missing or the value is empty: supplier' });
  expect(await refused({ unknown: 1 })).toEqual({ status: 400, error: 'param is missing or the value is empty: supplier' });
  expect(await refused({ email: 'a@b.example' })).toMatchObject({ status: 422, errors: ["Name can't be blank"] });
  expect(await refused({ name: 'x'.repeat(256) })).toMatchObject({ errors: ['Name is too long (maximum is 255 characters)'] });
  expect(await refused({ name: { first: 'x' } })).toMatchObject({ errors: ['Name is invalid'] });
});
